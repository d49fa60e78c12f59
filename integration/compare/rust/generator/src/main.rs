//! Writes shapes as uncompressed Arrow IPC streams: `generator DIRECTORY SHAPE...` makes DIRECTORY/SHAPE.arrows of each
//! and prints its name when it is complete.
//!
//! The same shape is the same bytes on every machine: all that is random has a fixed seed.

mod arrays;
mod clean;
mod distinct;
mod everyday;
mod fitting;
mod flat;
mod nested;
mod rng;
mod runs;
mod strings;
mod taxi;
mod tpch;

use std::fs::{self, File};
use std::io::{BufWriter, Write};

use arrow::error::ArrowError;
use arrow::ipc::writer::StreamWriter;
use arrow::record_batch::RecordBatch;

/// The batches of a shape.
fn shape(name: &str) -> Option<Vec<RecordBatch>> {
    if let Some(original) = name.strip_suffix("_clean") {
        let batches = shape(original)?;
        return Some(batches.iter().map(clean::batch).collect());
    }
    if let Some(original) = name.strip_suffix("_fitting") {
        let batches = shape(original)?;
        return Some(batches.iter().map(fitting::batch).collect());
    }
    let one = flat::shape(name).or_else(|| nested::shape(name)).or_else(|| runs::shape(name));
    one.or_else(|| strings::shape(name))
        .map(|batch| vec![batch])
        .or_else(|| distinct::shape(name))
        .or_else(|| everyday::shape(name))
        .or_else(|| tpch::shape(name))
}

fn write(path: &str, batches: &[RecordBatch]) -> Result<(), ArrowError> {
    let partial = format!("{path}.partial");
    let file = BufWriter::with_capacity(1 << 20, File::create(&partial)?);
    let mut stream = StreamWriter::try_new(file, batches[0].schema_ref())?;
    for batch in batches {
        stream.write(batch)?;
    }
    stream.finish()?;
    stream.into_inner()?.flush()?;
    Ok(fs::rename(partial, path)?)
}

fn main() {
    let mut args = std::env::args().skip(1);
    let directory = args.next().expect("usage: generator DIRECTORY SHAPE...");
    for name in args {
        let Some(batches) = shape(&name) else {
            eprintln!("generator: no shape {name:?}");
            std::process::exit(1);
        };
        if let Err(error) = write(&format!("{directory}/{name}.arrows"), &batches) {
            eprintln!("generator: {name}: {error}");
            std::process::exit(1);
        }
        println!("{name}");
    }
}

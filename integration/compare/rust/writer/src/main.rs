//! The Rust writer as a peer: `ArrowWriter` over batches that lie in memory, one `write` a batch, into nothing.
//!
//! What it reads and prints is the contract of package peer, beside this directory.

mod process;
mod settings;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use serde_json::{Value, json};

/// The allocator that the writer's own benchmarks use.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Counts what is written and drops it.
struct Nothing(u64);

impl Write for Nothing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is written: the batches of one Arrow stream.
struct Input {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Input {
    fn load(path: &str) -> Result<Input, String> {
        let file = BufReader::with_capacity(1 << 20, File::open(path).map_err(|e| format!("{path}: {e}"))?);
        let reader = StreamReader::try_new(file, None).map_err(|e| format!("{path}: {e}"))?;
        let schema = reader.schema();
        let batches = reader.collect::<Result<Vec<_>, _>>().map_err(|e| format!("{path}: {e}"))?;
        Ok(Input { schema, batches })
    }

    fn records(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Writes all of it as one file; a panic of the writer is an error.
    fn write<W: Write + Send>(&self, properties: &WriterProperties, out: W) -> Result<(), String> {
        let written = catch_unwind(AssertUnwindSafe(|| {
            let mut writer = ArrowWriter::try_new(out, self.schema.clone(), Some(properties.clone()))?;
            for batch in &self.batches {
                writer.write(batch)?;
            }
            writer.close()
        }));
        match written {
            Ok(result) => result.map(|_| ()).map_err(|e| e.to_string()),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
                Err(format!("panic: {}", text.unwrap_or_default()))
            }
        }
    }

    /// Writes it into nothing and returns the bytes of the file.
    fn count(&self, properties: &WriterProperties) -> Result<u64, String> {
        let mut out = Nothing(0);
        self.write(properties, &mut out)?;
        Ok(out.0)
    }
}

fn print(event: Value) {
    let mut out = io::stdout().lock();
    writeln!(out, "{event}").expect("standard output");
    out.flush().expect("standard output");
}

/// A round: what to print of it.
fn round(input: &Input, settings: &str, writes: u64) -> Result<Value, String> {
    let properties = settings::properties(settings)?;
    let (mut bytes, start) = (0, process::cpu_ns());
    for _ in 0..writes {
        bytes = input.count(&properties)?;
    }
    Ok(json!({"event": "round", "cpu_ns": process::cpu_ns() - start, "writes": writes, "bytes": bytes}))
}

/// Answers each line of standard input, the number of writes of a round and maybe its settings, with their processor
/// time. A round that fails ends nothing: other settings may be asked for next.
fn rounds(input: &Input, usual: &str) -> Result<(), String> {
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|e| e.to_string())?;
        let (writes, settings) = line.trim().split_once(' ').unwrap_or((line.trim(), usual));
        let writes = writes.parse().map_err(|e| format!("{line:?}: {e}"))?;
        print(round(input, settings, writes).unwrap_or_else(refusal));
    }
    Ok(())
}

fn refusal(error: String) -> Value {
    json!({"event": "error", "error": error})
}

/// Writes once and says how far resident memory grew meanwhile.
fn memory(input: &Input, properties: &WriterProperties) -> Result<(), String> {
    let before = process::reset_peak()?;
    let bytes = input.count(properties)?;
    let peak = process::peak()?.saturating_sub(before);
    print(json!({"event": "memory", "peak_bytes": peak, "bytes": bytes}));
    Ok(())
}

fn run(args: &[String]) -> Result<(), String> {
    let [settings, path, task, rest @ ..] = args else {
        return Err("usage: writer SETTINGS STREAM time|memory|file [FILE]".into());
    };
    let (input, properties) = (Input::load(path)?, settings::properties(settings)?);
    print(json!({"event": "ready", "version": "60.1.0", "records": input.records()}));
    match (task.as_str(), rest) {
        ("time", []) => rounds(&input, settings),
        ("memory", []) => memory(&input, &properties),
        ("file", [file]) => input.write(&properties, File::create(file).map_err(|e| format!("{file}: {e}"))?),
        _ => Err(format!("unknown task {task:?}")),
    }
}

fn main() {
    // A panic becomes an error of the contract; its message must not go to standard error as well.
    std::panic::set_hook(Box::new(|_| ()));
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Err(error) = run(&args) {
        print(refusal(error));
    }
}

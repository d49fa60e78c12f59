//! The writer's properties for each of the settings. All begin with its defaults, which are those of its benchmarks:
//! dictionaries of 1 MiB, pages of 1 MiB or 20,000 records, page index, one row group of up to 1,048,576 records.

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{CdcOptions, WriterProperties, WriterVersion};

pub fn properties(settings: &str) -> Result<WriterProperties, String> {
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let builder = WriterProperties::builder();
    let builder = match settings {
        "default" => builder,
        "v2" => builder.set_writer_version(WriterVersion::PARQUET_2_0),
        "zstd" => builder.set_compression(zstd),
        "zstd-v2" => builder.set_compression(zstd).set_writer_version(WriterVersion::PARQUET_2_0),
        "bloom" => builder.set_bloom_filter_enabled(true),
        "cdc" => builder.set_content_defined_chunking(Some(CdcOptions::default())),
        "distinct" => builder.set_write_row_group_number_distinct_values(true),
        "plain" => builder.set_dictionary_enabled(false).set_encoding(Encoding::PLAIN),
        "delta" => builder.set_dictionary_enabled(false).set_encoding(Encoding::DELTA_BYTE_ARRAY),
        _ => return Err(format!("no settings {settings:?}")),
    };
    Ok(builder.build())
}

//! Ten batches of 65,536 records, with which the Rust suite measures distinct counts: a hundred values that come round
//! and round, or random ones, of which every batch has the same.

use std::sync::Arc;

use arrow::array::*;
use arrow::datatypes::*;
use arrow::util::data_gen::create_random_batch;

use crate::arrays::required;

const BATCHES: usize = 10;
const BATCH: usize = 1 << 16;

pub fn shape(name: &str) -> Option<Vec<RecordBatch>> {
    use DataType::*;
    Some(match name {
        "ndv_int32_low_cardinality" => hundred("value", |v| Arc::new(v.map(|i| i as i32).collect::<Int32Array>())),
        "ndv_utf8_low_cardinality" => {
            hundred("label", |v| Arc::new(StringArray::from_iter_values(v.map(|i| format!("label_{i}")))))
        }
        "ndv_utf8_view_low_cardinality" => {
            hundred("label", |v| Arc::new(StringViewArray::from_iter_values(v.map(|i| format!("label_{i}")))))
        }
        "ndv_large_binary_low_cardinality" => {
            hundred("payload", |v| Arc::new(LargeBinaryArray::from_iter_values(v.map(|i| format!("payload_{i}")))))
        }
        "ndv_fsb16_low_cardinality" => hundred("id", |v| {
            let ids = v.map(|i| (i as u128).to_le_bytes());
            Arc::new(FixedSizeBinaryArray::try_from_iter(ids).expect("fixed-size binary"))
        }),
        "ndv_int32_high_cardinality" => random("value", Int32),
        "ndv_bool" => random("flag", Boolean),
        "ndv_utf8_high_cardinality" => random("label", Utf8),
        "ndv_utf8_view_high_cardinality" => random("label", Utf8View),
        "ndv_large_binary_high_cardinality" => random("payload", LargeBinary),
        "ndv_fsb16_high_cardinality" => random("id", FixedSizeBinary(16)),
        _ => return None,
    })
}

fn hundred(name: &str, array: impl Fn(&mut dyn Iterator<Item = usize>) -> ArrayRef) -> Vec<RecordBatch> {
    let batch = |b: usize| {
        let array = array(&mut (0..BATCH).map(|i| (b * BATCH + i) % 100));
        let schema = Schema::new(vec![required(name, array.data_type().clone())]);
        RecordBatch::try_new(Arc::new(schema), vec![array]).expect("batch of one column")
    };
    (0..BATCHES).map(batch).collect()
}

fn random(name: &str, dt: DataType) -> Vec<RecordBatch> {
    let schema = Arc::new(Schema::new(vec![required(name, dt)]));
    let batch = |_| create_random_batch(schema.clone(), BATCH, 0.0, 0.5).expect("random batch");
    (0..BATCHES).map(batch).collect()
}

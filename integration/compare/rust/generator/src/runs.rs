//! Run-end-encoded shapes of the suite that the Rust writer measures itself with.

use std::sync::Arc;

use arrow::array::*;
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::*;

use crate::arrays::*;

pub fn shape(name: &str) -> Option<RecordBatch> {
    Some(match name {
        "string_ree" => random_runs(DataType::Utf8, 0.10),
        "int32_ree" => random_runs(DataType::Int32, 0.10),
        "bool_ree" => random_runs(DataType::Boolean, 0.10),
        "fixed_size_binary_ree" => random_runs(DataType::FixedSizeBinary(16), 0.10),
        "string_ree_95pct_null" => random_runs(DataType::Utf8, 0.95),
        "int32_ree_95pct_null" => random_runs(DataType::Int32, 0.95),
        "string_ree_of_dict" => column(runs(8, RECORDS, |n| sixteen(n, texts(16, |i| format!("val_{i:04}"))))),
        "numeric_ree_of_dict" => column(runs(8, RECORDS, |n| {
            sixteen(n, Arc::new(Int64Array::from_iter_values((0..16).map(|i| i * 1_000_000))))
        })),
        "ree_struct_of_dict" => column(runs(8, RECORDS, tags)),
        "string_ree_low_cardinality" => column(runs(256, RECORDS, |n| texts(n, category))),
        "string_ree_int64_run_ends" => column(long_runs(256, texts(RECORDS / 256, category))),
        "int64_ree_low_cardinality" => column(runs(256, RECORDS, numbers)),
        "fixed_size_binary_ree_low_cardinality" => column(runs(256, RECORDS, |n| {
            let values = (0..n).map(|i| ((i % 16) as u128).to_le_bytes());
            Arc::new(FixedSizeBinaryArray::try_from_iter(values).expect("fixed-size binary"))
        })),
        "int32_ree_99pct_null" => column(runs(256, RECORDS, |n| {
            Arc::new(Int32Array::from_iter((0..n).map(|i| (i % 100 == 0).then_some((i % 16) as i32))))
        })),
        "string_ree_99pct_null" => column(runs(256, RECORDS, |n| {
            Arc::new(StringArray::from_iter((0..n).map(|i| (i % 100 == 0).then(|| category(i)))))
        })),
        "struct_ree" => column(runs(256, RECORDS, numbers_and_texts)),
        "struct_ree_short_runs" => column(runs(8, RECORDS, numbers_and_texts)),
        "list_int32_ree" => column(runs(256, RECORDS, |n| number_lists(n, 8))),
        "list_int32_ree_short_runs" => column(runs(8, RECORDS, |n| number_lists(n, 8))),
        "list_string_ree" => column(runs(256, RECORDS, |n| {
            Arc::new(lists(4, texts(n * 4, |i| format!("{}_{}", category(i / 4), i % 4))))
        })),
        "list_of_list_int32_ree" => column(Arc::new(lists(2, runs(128, 2 * RECORDS, |n| number_lists(n, 4))))),
        "ree_list_ree_list" => column(runs(256, RECORDS, |n| {
            Arc::new(lists(2, runs(128, 2 * n, |n| number_lists(n, 4))))
        })),
        _ => return lists_of_runs(name),
    })
}

fn lists_of_runs(name: &str) -> Option<RecordBatch> {
    let child = |n| runs(256, n, eighth_null);
    let four = || lists(4, child(4 * RECORDS));
    Some(match name {
        "list_of_int32_ree" => column(Arc::new(four())),
        "list_of_int32_ree_alt_null" => {
            let (element, offsets, values, _) = four().into_parts();
            let valid = NullBuffer::from_iter((0..RECORDS).map(|i| i % 2 == 0));
            column(Arc::new(ListArray::new(element, offsets, values, Some(valid))))
        }
        "list_of_int32_ree_alt_empty" => {
            let offsets = OffsetBuffer::from_lengths((0..RECORDS).map(|i| i % 2 * 4));
            column(Arc::new(lists_at(offsets, child(2 * RECORDS), None)))
        }
        "struct_of_list_of_int32_ree_alt_null" => column(items(four(), |i| i % 2 == 0)),
        "struct_of_list_of_int32_ree_single_null" => column(items(four(), |i| i != RECORDS / 2)),
        "struct_of_list_of_int32_ree_fragmented" => {
            column(items(four(), |i| i != 0 && i != RECORDS / 2 && i != RECORDS - 1))
        }
        _ => return None,
    })
}

/// Random runs of 8 to 32 records, of whose values a share is null.
fn random_runs(values: DataType, nulls: f32) -> RecordBatch {
    let ends = Arc::new(required(Field::REE_RUN_ENDS_FIELD_DEFAULT_NAME, DataType::Int32));
    let values = Arc::new(nullable(Field::REE_VALUES_FIELD_DEFAULT_NAME, values));
    random(columns(&[DataType::RunEndEncoded(ends, values)], true), nulls)
}

/// Runs of the given length over total slots; values makes as many as there are runs.
fn runs(length: usize, total: usize, values: impl Fn(usize) -> ArrayRef) -> ArrayRef {
    let n = total.div_ceil(length);
    let ends = Int32Array::from_iter_values((1..=n).map(|run| (run * length).min(total) as i32));
    Arc::new(RunArray::<Int32Type>::try_new(&ends, &values(n)).expect("run array"))
}

/// Runs of the given length with 64-bit ends.
fn long_runs(length: usize, values: ArrayRef) -> ArrayRef {
    let ends = Int64Array::from_iter_values((1..=values.len()).map(|run| (run * length) as i64));
    Arc::new(RunArray::<Int64Type>::try_new(&ends, &values).expect("run array"))
}

/// n keys of a dictionary of sixteen values, one after another.
fn sixteen(n: usize, values: ArrayRef) -> ArrayRef {
    let keys = Int32Array::from_iter_values((0..n).map(|i| (i % 16) as i32));
    Arc::new(DictionaryArray::<Int32Type>::new(keys, values))
}

fn tags(n: usize) -> ArrayRef {
    let tags = sixteen(n, texts(16, |i| format!("tag_{i:04}")));
    let values = Arc::new(Int64Array::from_iter_values(0..n as i64));
    let fields = vec![nullable("tag", tags.data_type().clone()), nullable("val", DataType::Int64)];
    Arc::new(StructArray::new(fields.into(), vec![tags, values], None))
}

fn numbers(n: usize) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values((0..n).map(|i| (i % 16) as i64)))
}

/// Structs of a number and a text, every eighth null.
fn numbers_and_texts(n: usize) -> ArrayRef {
    let fields = vec![nullable("a", DataType::Int64), nullable("b", DataType::Utf8)];
    let valid = NullBuffer::from_iter((0..n).map(|i| i % 8 != 7));
    Arc::new(StructArray::new(fields.into(), vec![numbers(n), texts(n, category)], Some(valid)))
}

/// n lists of so many numbers, sixteen different ones.
fn number_lists(n: usize, len: usize) -> ArrayRef {
    let values = (0..n * len).map(|i| ((i / len) % 16 * len + i % len) as i32);
    Arc::new(lists(len, Arc::new(Int32Array::from_iter_values(values))))
}

fn eighth_null(n: usize) -> ArrayRef {
    Arc::new(Int32Array::from_iter((0..n).map(|i| (i % 8 != 7).then_some((i % 16) as i32))))
}

/// Structs around lists.
fn items(lists: ListArray, valid: impl Fn(usize) -> bool) -> ArrayRef {
    let fields = vec![nullable("items", lists.data_type().clone())];
    let valid = NullBuffer::from_iter((0..lists.len()).map(valid));
    Arc::new(StructArray::new(fields.into(), vec![Arc::new(lists)], Some(valid)))
}

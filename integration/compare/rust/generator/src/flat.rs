//! Shapes without lists and runs, of the suite that the Rust writer measures itself with.

use std::sync::Arc;

use arrow::array::*;
use arrow::datatypes::*;
use arrow::util::bench_util::{create_f16_array, create_f32_array, create_f64_array};
use arrow::util::test_util::seedable_rng;
use rand::RngExt;
use rand::distr::Alphanumeric;

use crate::arrays::*;

pub fn shape(name: &str) -> Option<RecordBatch> {
    use DataType::*;
    Some(match name {
        "primitive" => random(primitives(true), 0.25),
        "primitive_non_null" => random(primitives(false), 0.25),
        "primitive_sparse_99pct_null" => random(primitives(true), 0.99),
        "primitive_all_null" => random(primitives(true), 1.0),
        "bool" => random(columns(&[Boolean], true), 0.25),
        "bool_non_null" => random(columns(&[Boolean], false), 0.25),
        "string" => random(columns(&[Utf8, LargeUtf8], true), 0.25),
        "string_non_null" => random(columns(&[Utf8, LargeUtf8], false), 0.25),
        "short_string_non_null" => col(texts(RECORDS, |i| format!("{i:08}"))),
        "large_string_non_null" => col(texts(1024, |_| "x".repeat(256 << 10))),
        "string_and_binary_view" => random(columns(&[Utf8View, BinaryView], true), 0.25),
        "byte_array_sparse_99pct_null" => random(columns(&[Utf8, LargeUtf8, Utf8View, BinaryView], true), 0.99),
        "fsb" => random(columns(&[FixedSizeBinary(16)], true), 0.9),
        "fixed_size_binary_non_null" => fixed(0),
        "fixed_size_binary_sparse" => fixed(2500),
        "decimal" => random(decimals(), 0.75),
        "decimal128_non_null" => decimal128(0),
        "decimal128_sparse" => decimal128(2500),
        "float_with_nans" => floats(),
        "struct_non_null" => random(structs(), 0.0),
        "struct_sparse_99pct_null" => random(structs(), 0.99),
        "struct_all_null" => random(structs(), 1.0),
        _ => return dictionaries(name),
    })
}

fn dictionaries(name: &str) -> Option<RecordBatch> {
    let decimal = DataType::Decimal128(38, 10);
    let entries = 0..ONE_PERCENT;
    let random = |dt: DataType| random(columns(&[dictionary_of(dt)], true), 0.25);
    Some(match name {
        "primitive_dictionary" => random(DataType::Int32),
        "int64_dictionary" => random(DataType::Int64),
        "float64_dictionary" => random(DataType::Float64),
        "string_dictionary" => random(DataType::Utf8),
        "decimal128_dictionary" => random(decimal),
        "primitive_dictionary_1pct_cardinality" => {
            column(round_robin(Arc::new(Int32Array::from_iter_values(entries.map(|i| i as i32)))))
        }
        "int64_dictionary_1pct_cardinality" => {
            column(round_robin(Arc::new(Int64Array::from_iter_values(entries.map(|i| i as i64)))))
        }
        "float64_dictionary_1pct_cardinality" => {
            column(round_robin(Arc::new(Float64Array::from_iter_values(entries.map(|i| i as f64)))))
        }
        "string_dictionary_1pct_cardinality" => {
            column(round_robin(texts(ONE_PERCENT, |i| format!("value_{i:08}"))))
        }
        "decimal128_dictionary_1pct_cardinality" => {
            let values = Decimal128Array::from_iter_values(entries.map(|i| i as i128)).with_data_type(decimal);
            col(round_robin(Arc::new(values)))
        }
        "bool_dictionary" => {
            let keys = Int8Array::from_iter((0..RECORDS).map(|i| (i % 10 != 9).then_some((i % 2) as i8)));
            let values = Arc::new(BooleanArray::from(vec![false, true]));
            column(Arc::new(DictionaryArray::new(keys, values)))
        }
        "string_dictionary_low_cardinality_20" => few_texts(20),
        "string_dictionary_low_cardinality_100" => few_texts(100),
        "string_dictionary_low_cardinality_400" => few_texts(400),
        _ => return None,
    })
}

fn primitives(nullable: bool) -> Vec<Field> {
    use DataType::*;
    columns(&[Int32, Int64, UInt32, UInt64, Float32, Float64, Date64], nullable)
}

fn decimals() -> Vec<Field> {
    columns(
        &[
            Decimal32Type::DEFAULT_TYPE,
            Decimal64Type::DEFAULT_TYPE,
            Decimal128Type::DEFAULT_TYPE,
            Decimal256Type::DEFAULT_TYPE,
        ],
        false,
    )
}

fn structs() -> Vec<Field> {
    let children = columns(&[DataType::Int32, DataType::Int64, DataType::Float32], false);
    columns(&[DataType::Struct(children.into())], true)
}

/// A dictionary of n random texts of 10 to 24 letters and digits, which come round and round.
fn few_texts(n: usize) -> RecordBatch {
    let mut rng = seedable_rng();
    let texts: Vec<String> = (0..n)
        .map(|_| {
            let len = rng.random_range(10..25);
            (0..len).map(|_| rng.sample(Alphanumeric) as char).collect()
        })
        .collect();
    let mut dictionary = StringDictionaryBuilder::<Int32Type>::new();
    (0..RECORDS).for_each(|i| dictionary.append_value(&texts[i % n]));
    let field = required("_1", dictionary_of(DataType::Utf8));
    RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![Arc::new(dictionary.finish())]).expect("dictionary")
}

fn floats() -> RecordBatch {
    let arrays: [ArrayRef; 3] = [
        Arc::new(create_f16_array(RECORDS, 0.5)),
        Arc::new(create_f32_array(RECORDS, 0.5)),
        Arc::new(create_f64_array(RECORDS, 0.5)),
    ];
    let fields = columns(&[DataType::Float16, DataType::Float32, DataType::Float64], false);
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays.into()).expect("floats")
}

/// Sixteen bytes a record: its index, then zeros.
fn fixed(null_ten_thousandths: usize) -> RecordBatch {
    let nulls = spread_nulls(RECORDS, null_ten_thousandths);
    let values = (0..RECORDS).map(|i| nulls.is_valid(i).then(|| (i as u128).to_le_bytes()));
    let array = FixedSizeBinaryArray::try_from_sparse_iter_with_size(values, 16).expect("fixed-size binary");
    col(Arc::new(array))
}

/// The index of the record as a decimal.
fn decimal128(null_ten_thousandths: usize) -> RecordBatch {
    let values: Vec<i128> = (0..RECORDS as i128).collect();
    let nulls = Some(spread_nulls(RECORDS, null_ten_thousandths)).filter(|n| n.null_count() > 0);
    let array = Decimal128Array::new(values.into(), nulls).with_data_type(DataType::Decimal128(38, 10));
    col(Arc::new(array))
}

//! What several shapes are made of.

use std::sync::Arc;

use arrow::array::*;
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::*;
use arrow::util::data_gen::create_random_batch;

/// Records of a shape, unless it says otherwise: those of one row group by the defaults of most writers.
pub const RECORDS: usize = 1 << 20;

pub fn nullable(name: &str, dt: DataType) -> Field {
    Field::new(name, dt, true)
}

pub fn required(name: &str, dt: DataType) -> Field {
    Field::new(name, dt, false)
}

/// Columns _1, _2, … of the given types.
pub fn columns(types: &[DataType], nullable: bool) -> Vec<Field> {
    let name = |(i, dt): (usize, &DataType)| Field::new(format!("_{}", i + 1), dt.clone(), nullable);
    types.iter().enumerate().map(name).collect()
}

/// A random batch of which a share of the slots is null, at every level, where the fields allow it, and three in four
/// booleans are true.
pub fn random(fields: Vec<Field>, nulls: f32) -> RecordBatch {
    create_random_batch(Arc::new(Schema::new(fields)), RECORDS, nulls, 0.75).expect("random batch")
}

/// A batch of one nullable column _1.
pub fn column(array: ArrayRef) -> RecordBatch {
    let schema = Schema::new(vec![nullable("_1", array.data_type().clone())]);
    RecordBatch::try_new(Arc::new(schema), vec![array]).expect("batch of one column")
}

/// A batch of one column named col, nullable if it has nulls.
pub fn col(array: ArrayRef) -> RecordBatch {
    RecordBatch::try_from_iter([("col", array)]).expect("batch of one column")
}

pub fn list_of(dt: DataType, nullable: bool) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(dt, nullable)))
}

/// Lists of n elements each, without nulls.
pub fn lists(n: usize, values: ArrayRef) -> ListArray {
    let offsets = OffsetBuffer::from_lengths(std::iter::repeat_n(n, values.len() / n));
    lists_at(offsets, values, None)
}

pub fn lists_at(offsets: OffsetBuffer<i32>, values: ArrayRef, nulls: Option<NullBuffer>) -> ListArray {
    let element = Arc::new(Field::new_list_field(values.data_type().clone(), true));
    ListArray::new(element, offsets, values, nulls)
}

/// Nulls spread evenly, a share of so many ten thousandths: the step is prime to it.
pub fn spread_nulls(len: usize, ten_thousandths: usize) -> NullBuffer {
    NullBuffer::from_iter((0..len).map(|i| (i * 9973) % 10_000 >= ten_thousandths))
}

/// A dictionary array over values, whose keys go round and round, a quarter of them null.
pub fn round_robin(values: ArrayRef) -> ArrayRef {
    let keys: Vec<i32> = (0..RECORDS).map(|i| (i % values.len()) as i32).collect();
    let keys = Int32Array::new(keys.into(), Some(spread_nulls(RECORDS, 2500)));
    Arc::new(DictionaryArray::<Int32Type>::new(keys, values))
}

/// Entries of a dictionary that is a hundredth of the records.
pub const ONE_PERCENT: usize = RECORDS / 100;

pub fn dictionary_of(dt: DataType) -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(dt))
}

/// Sixteen different texts.
pub fn category(i: usize) -> String {
    format!("category_{:02}", i % 16)
}

/// n texts, each made of its index.
pub fn texts(n: usize, text: impl Fn(usize) -> String) -> ArrayRef {
    Arc::new(StringArray::from_iter_values((0..n).map(text)))
}

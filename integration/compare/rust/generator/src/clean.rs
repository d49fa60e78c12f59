//! Null lists without elements of their own. That null lists may have some is Arrow's rule, but arrow-go's writer takes
//! none.

use std::sync::Arc;

use arrow::array::*;
use arrow::buffer::OffsetBuffer;
use arrow::compute::take;
use arrow::datatypes::*;

/// A batch that is equal to the given one, whose null lists and maps are empty.
pub fn batch(b: &RecordBatch) -> RecordBatch {
    let columns = b.columns().iter().map(array).collect();
    let cleaned = RecordBatch::try_new(b.schema(), columns).expect("batch");
    assert_eq!(&cleaned, b);
    cleaned
}

fn array(a: &ArrayRef) -> ArrayRef {
    match a.data_type() {
        DataType::List(element) => list(a.as_list::<i32>(), element),
        DataType::LargeList(element) => list(a.as_list::<i64>(), element),
        DataType::Struct(fields) => {
            let s = a.as_struct();
            let children = s.columns().iter().map(array).collect();
            Arc::new(StructArray::new(fields.clone(), children, s.nulls().cloned()))
        }
        DataType::Map(entry, sorted) => {
            let m = a.as_map();
            let entries: ArrayRef = Arc::new(m.entries().clone());
            let (offsets, entries) = used(m.offsets(), &entries, |i| m.is_valid(i));
            let entries = array(&entries).as_struct().clone();
            Arc::new(MapArray::new(entry.clone(), offsets, entries, m.nulls().cloned(), *sorted))
        }
        _ => a.clone(),
    }
}

fn list<O: OffsetSizeTrait>(a: &GenericListArray<O>, element: &FieldRef) -> ArrayRef {
    let (offsets, values) = used(a.offsets(), a.values(), |i| a.is_valid(i));
    Arc::new(GenericListArray::<O>::new(element.clone(), offsets, array(&values), a.nulls().cloned()))
}

/// The elements of the valid lists alone, and where each list's now lie.
fn used<O: OffsetSizeTrait>(
    offsets: &OffsetBuffer<O>,
    values: &ArrayRef,
    valid: impl Fn(usize) -> bool,
) -> (OffsetBuffer<O>, ArrayRef) {
    let range = |i: usize| if valid(i) { offsets[i].as_usize()..offsets[i + 1].as_usize() } else { 0..0 };
    let lists = offsets.len() - 1;
    let indices = UInt64Array::from_iter_values((0..lists).flat_map(range).map(|i| i as u64));
    let values = take(values, &indices, None).expect("elements of lists");
    (OffsetBuffer::from_lengths((0..lists).map(|i| range(i).len())), values)
}

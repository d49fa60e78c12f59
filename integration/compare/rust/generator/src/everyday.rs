//! What users write: times, categories, taxi rides, maps, lists of structs, long runs. In sixteen batches.

use std::sync::Arc;

use arrow::array::*;
use arrow::buffer::{Buffer, OffsetBuffer};
use arrow::datatypes::*;

use crate::arrays::*;
use crate::rng::Rng;
use crate::taxi;

const BATCH: usize = 1 << 16;

pub fn shape(name: &str) -> Option<Vec<RecordBatch>> {
    let whole = match name {
        "string_empty" => string_empty(),
        "fixed_size_binary16" => random(columns(&[DataType::FixedSizeBinary(16)], true), 0.25),
        "decimal128" => random(columns(&[Decimal128Type::DEFAULT_TYPE], false), 0.0),
        "list_struct" => column(Arc::new(list_structs(&mut Rng::new(31), RECORDS, 0.25))),
        "map" => column(Arc::new(map(&mut Rng::new(11)))),
        "string_view" => column(Arc::new(string_view(&mut Rng::new(13)))),
        "ree_int32_long" => long_runs(500, 1500, |rng, n| {
            Arc::new(rng.numbers::<Int32Type>(n, 0.10, |rng| rng.next() as i32))
        }),
        "ree_utf8_long" => long_runs(500, 1500, |rng, n| {
            let words = rng.words(n, 8, 40);
            Arc::new(StringArray::from_iter(words.into_iter().map(|w| (!rng.chance(0.10)).then_some(w))))
        }),
        "ree_list_struct" => long_runs(50, 150, |rng, n| Arc::new(list_structs(rng, n, 0.10))),
        "timestamp_date" => times(&mut Rng::new(17)),
        "low_card_utf8" => categories(&mut Rng::new(19)),
        "taxi" => taxi::rides(&mut Rng::new(23)),
        _ => return None,
    };
    Some((0..RECORDS).step_by(BATCH).map(|at| whole.slice(at, BATCH)).collect())
}

/// Empty strings over a buffer of no values.
fn string_empty() -> RecordBatch {
    let offsets = OffsetBuffer::from_lengths(std::iter::repeat_n(0, RECORDS));
    let array: ArrayRef = Arc::new(StringArray::new(offsets, Buffer::from(&[]), None));
    RecordBatch::try_from_iter([("_1", array)]).expect("batch of one column")
}

/// n lists of up to four structs.
fn list_structs(rng: &mut Rng, n: usize, nulls: f64) -> ListArray {
    let lengths: Vec<usize> = (0..n).map(|_| rng.below(5) as usize).collect();
    let total = lengths.iter().sum();
    let a = rng.numbers::<Int32Type>(total, nulls, |rng| rng.next() as i32);
    let b = rng.numbers::<Float64Type>(total, nulls, Rng::unit);
    let c = rng.numbers::<Int64Type>(total, 0.0, |rng| rng.next() as i64);
    let fields =
        vec![nullable("a", DataType::Int32), nullable("b", DataType::Float64), required("c", DataType::Int64)];
    let structs =
        StructArray::new(fields.into(), vec![Arc::new(a), Arc::new(b), Arc::new(c)], rng.nulls(total, nulls));
    lists_at(OffsetBuffer::from_lengths(lengths), Arc::new(structs), rng.nulls(n, nulls))
}

/// Maps of up to four of 64 keys to numbers.
fn map(rng: &mut Rng) -> MapArray {
    let words = rng.words(64, 4, 12);
    let lengths: Vec<usize> = (0..RECORDS).map(|_| rng.below(5) as usize).collect();
    let total = lengths.iter().sum();
    let keys = rng.pick(&words, total, 0.0);
    let values = rng.numbers::<Int32Type>(total, 0.25, |rng| rng.next() as i32);
    let fields = Fields::from(vec![required("keys", DataType::Utf8), nullable("values", DataType::Int32)]);
    let entries = StructArray::new(fields.clone(), vec![Arc::new(keys), Arc::new(values)], None);
    let entry = Arc::new(required("entries", DataType::Struct(fields)));
    MapArray::new(entry, OffsetBuffer::from_lengths(lengths), entries, rng.nulls(RECORDS, 0.10), false)
}

/// Texts of which three in four are short enough to lie in the view itself.
fn string_view(rng: &mut Rng) -> StringViewArray {
    let mut views = StringViewBuilder::new();
    for _ in 0..RECORDS {
        if rng.chance(0.25) {
            views.append_null();
            continue;
        }
        let len = if rng.chance(0.75) { 1 + rng.below(12) } else { 13 + rng.below(36) };
        let text: String = (0..len).map(|_| (b'a' + rng.below(26) as u8) as char).collect();
        views.append_value(text);
    }
    views.finish()
}

/// Runs of min to max records.
fn long_runs(min: u64, max: u64, values: impl Fn(&mut Rng, usize) -> ArrayRef) -> RecordBatch {
    let mut rng = Rng::new(29);
    let (mut ends, mut end) = (vec![], 0);
    while end < RECORDS {
        end = (end + (min + rng.below(max - min + 1)) as usize).min(RECORDS);
        ends.push(end as i32);
    }
    let values = values(&mut rng, ends.len());
    column(Arc::new(RunArray::<Int32Type>::try_new(&Int32Array::from(ends), &values).expect("run array")))
}

/// Sorted and unsorted times of several units, and dates.
fn times(rng: &mut Rng) -> RecordBatch {
    let mut time = 1_700_000_000_000_000;
    let sorted = rng.numbers::<TimestampMicrosecondType>(RECORDS, 0.0, |rng| {
        time += rng.below(2_000_000) as i64;
        time
    });
    let ms = |rng: &mut Rng| 1_600_000_000_000 + rng.below(100_000_000_000) as i64;
    let ns = |rng: &mut Rng| 1_600_000_000_000_000_000 + rng.below(1 << 56) as i64;
    let ms = rng.numbers::<TimestampMillisecondType>(RECORDS, 0.10, ms);
    let ns = rng.numbers::<TimestampNanosecondType>(RECORDS, 0.10, ns);
    let day = rng.numbers::<Date32Type>(RECORDS, 0.10, |rng| 15_000 + rng.below(3_650) as i32);
    let of_day = rng.numbers::<Time64MicrosecondType>(RECORDS, 0.10, |rng| rng.below(86_400_000_000) as i64);
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        ("ts_us", Arc::new(sorted.with_timezone("UTC")), false),
        ("ts_ms", Arc::new(ms), true),
        ("ts_ns", Arc::new(ns), true),
        ("d32", Arc::new(day), true),
        ("t64_us", Arc::new(of_day), true),
    ];
    RecordBatch::try_from_iter_with_nullable(columns).expect("times")
}

/// Texts of 8, 200 and 20,000 different ones.
fn categories(rng: &mut Rng) -> RecordBatch {
    let mut texts = |n, min, max, nulls| -> ArrayRef {
        let words = rng.words(n, min, max);
        Arc::new(rng.pick(&words, RECORDS, nulls))
    };
    let columns = vec![
        ("status", texts(8, 4, 12, 0.0), false),
        ("city", texts(200, 5, 20, 0.05), true),
        ("agent", texts(20_000, 20, 80, 0.10), true),
    ];
    RecordBatch::try_from_iter_with_nullable(columns).expect("categories")
}

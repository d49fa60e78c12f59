//! Taxi rides: 19 columns with the types and about the cardinalities of the New York records.

use std::sync::Arc;

use arrow::array::*;
use arrow::datatypes::*;

use crate::arrays::RECORDS;
use crate::rng::Rng;

const SECOND: i64 = 1_000_000;

pub fn rides(rng: &mut Rng) -> RecordBatch {
    let (pickup, dropoff) = times(rng);
    let fare = amounts(rng, 1_000, 0.1, 0.0);
    let extra = amounts(rng, 6, 0.5, 0.0);
    let tip = amounts(rng, 2_500, 0.01, 0.0);
    let total = Float64Array::from_iter_values((0..RECORDS).map(|i| {
        let cents = (fare.value(i) + extra.value(i) + 0.5 + tip.value(i) + 1.0) * 100.0;
        cents.round() / 100.0
    }));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("VendorID", Arc::new(rng.numbers::<Int32Type>(RECORDS, 0.0, |rng| 1 + rng.below(2) as i32))),
        ("tpep_pickup_datetime", pickup),
        ("tpep_dropoff_datetime", dropoff),
        ("passenger_count", counts(rng, 6, 0.05)),
        ("trip_distance", Arc::new(amounts(rng, 4_000, 0.01, 0.0))),
        ("RatecodeID", counts(rng, 6, 0.05)),
        ("store_and_fwd_flag", flags(rng)),
        ("PULocationID", location(rng)),
        ("DOLocationID", location(rng)),
        ("payment_type", counts(rng, 5, 0.0)),
        ("fare_amount", Arc::new(fare)),
        ("extra", Arc::new(extra)),
        ("mta_tax", constant(0.5)),
        ("tip_amount", Arc::new(tip)),
        ("tolls_amount", either(rng, 0.08, 6.94, 0.0)),
        ("improvement_surcharge", constant(1.0)),
        ("total_amount", Arc::new(total)),
        ("congestion_surcharge", either(rng, 0.9, 2.5, 0.05)),
        ("zone", zone(rng)),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
        .expect("rides")
}

/// When rides began, roughly in order, and when they ended.
fn times(rng: &mut Rng) -> (ArrayRef, ArrayRef) {
    let mut now = 1_704_067_200 * SECOND;
    let (mut pickup, mut dropoff) = (vec![], vec![]);
    for _ in 0..RECORDS {
        now += rng.below(5) as i64 * SECOND;
        let start = now - rng.below(600) as i64 * SECOND;
        pickup.push(start);
        dropoff.push(start + (60 + rng.skewed(5_400) as i64) * SECOND);
    }
    (Arc::new(TimestampMicrosecondArray::from(pickup)), Arc::new(TimestampMicrosecondArray::from(dropoff)))
}

fn counts(rng: &mut Rng, n: u64, nulls: f64) -> ArrayRef {
    Arc::new(rng.numbers::<Int64Type>(RECORDS, nulls, |rng| 1 + rng.skewed(n) as i64))
}

fn location(rng: &mut Rng) -> ArrayRef {
    Arc::new(rng.numbers::<Int32Type>(RECORDS, 0.0, |rng| 1 + rng.skewed(265) as i32))
}

fn amounts(rng: &mut Rng, n: u64, step: f64, nulls: f64) -> Float64Array {
    rng.numbers::<Float64Type>(RECORDS, nulls, |rng| rng.skewed(n) as f64 * step)
}

fn either(rng: &mut Rng, p: f64, value: f64, nulls: f64) -> ArrayRef {
    Arc::new(rng.numbers::<Float64Type>(RECORDS, nulls, |rng| if rng.chance(p) { value } else { 0.0 }))
}

fn constant(value: f64) -> ArrayRef {
    Arc::new(Float64Array::from_value(value, RECORDS))
}

fn flags(rng: &mut Rng) -> ArrayRef {
    let flag = |_| (!rng.chance(0.05)).then(|| if rng.chance(0.01) { "Y" } else { "N" });
    Arc::new(StringArray::from_iter((0..RECORDS).map(flag)))
}

fn zone(rng: &mut Rng) -> ArrayRef {
    let zones = rng.words(265, 6, 28);
    Arc::new(rng.pick(&zones, RECORDS, 0.0))
}

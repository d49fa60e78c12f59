//! Decimals of as many digits as their types declare. Those that the Rust suite draws have up to all that fit into
//! their bytes, which no reader needs to take.

use std::sync::Arc;

use arrow::array::*;
use arrow::datatypes::*;

/// The batch with its decimals, in dictionaries too, cut to the last of their digits.
pub fn batch(b: &RecordBatch) -> RecordBatch {
    RecordBatch::try_new(b.schema(), b.columns().iter().map(array).collect()).expect("batch")
}

fn array(a: &ArrayRef) -> ArrayRef {
    match *a.data_type() {
        DataType::Decimal32(digits, _) => cut::<Decimal32Type>(a, 10i32.pow(digits.into())),
        DataType::Decimal64(digits, _) => cut::<Decimal64Type>(a, 10i64.pow(digits.into())),
        DataType::Decimal128(digits, _) => cut::<Decimal128Type>(a, 10i128.pow(digits.into())),
        DataType::Decimal256(digits, _) => cut::<Decimal256Type>(a, i256::from_i128(10).wrapping_pow(digits.into())),
        DataType::Dictionary(_, _) => {
            let dictionary = a.as_any_dictionary();
            dictionary.with_values(array(dictionary.values()))
        }
        _ => a.clone(),
    }
}

fn cut<T: ArrowPrimitiveType>(a: &ArrayRef, above: T::Native) -> ArrayRef
where
    T::Native: std::ops::Rem<Output = T::Native>,
{
    let kind = a.data_type().clone();
    Arc::new(a.as_primitive::<T>().unary::<_, T>(|v| v % above).with_data_type(kind))
}

//! The order lines of TPC-H, a row group of them: 16 columns of keys, decimals, dates and texts.

use std::sync::Arc;

use arrow::array::*;
use arrow::compute::cast;
use arrow::datatypes::*;
use tpchgen::generators::LineItemGenerator;
use tpchgen_arrow::LineItemArrow;

/// Lineitem as it is made, with views, and with strings for writers that know no views.
pub fn shape(name: &str) -> Option<Vec<RecordBatch>> {
    // A scale of 0.2 is 1.2 million lines.
    let lines = LineItemArrow::new(LineItemGenerator::new(0.2, 1, 1)).with_batch_size(1 << 16);
    let lines = lines.take(16).map(|b| b.expect("lineitem"));
    match name {
        "tpch_lineitem" => Some(lines.collect()),
        "tpch_lineitem_utf8" => Some(lines.map(strings).collect()),
        _ => None,
    }
}

fn strings(b: RecordBatch) -> RecordBatch {
    let column = |(field, array): (&FieldRef, &ArrayRef)| match field.data_type() {
        DataType::Utf8View => {
            let field = field.as_ref().clone().with_data_type(DataType::Utf8);
            (Arc::new(field), cast(array, &DataType::Utf8).expect("strings"))
        }
        _ => (field.clone(), array.clone()),
    };
    let (fields, columns): (Vec<_>, Vec<_>) = b.schema().fields().iter().zip(b.columns()).map(column).unzip();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).expect("batch")
}

//! Shapes with lists but without runs, of the suite that the Rust writer measures itself with.
//!
//! Its generator draws the lengths and the nulls of lists from the same random numbers, so that null lists have
//! elements of their own, which must not reach a file.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::*;

use crate::arrays::*;

pub fn shape(name: &str) -> Option<RecordBatch> {
    Some(match name {
        "list_primitive" => random(list_columns(true), 0.25),
        "list_primitive_non_null" => random(list_columns(false), 0.25),
        "list_primitive_sparse_99pct_null" => random(list_columns(true), 0.99),
        "list_nested" => random(columns(&[list_of(list_of(DataType::Int32, true), true)], true), 0.25),
        "list_struct_with_list" => random(columns(&[list_of(struct_with_list(), true)], true), 0.25),
        _ => return None,
    })
}

fn list_columns(nullable: bool) -> Vec<Field> {
    let texts = DataType::LargeList(Arc::new(Field::new_list_field(DataType::Utf8, nullable)));
    columns(&[list_of(DataType::Int32, nullable), list_of(DataType::Boolean, nullable), texts], nullable)
}

fn struct_with_list() -> DataType {
    DataType::Struct(Fields::from(vec![
        nullable("a", DataType::Int32),
        nullable("b", DataType::Float32),
        nullable("c", list_of(DataType::Int32, true)),
    ]))
}

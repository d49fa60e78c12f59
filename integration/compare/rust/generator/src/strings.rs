//! Strings of 1 KiB to 2 MiB that share a part or nothing, with which the Rust suite measures DELTA_BYTE_ARRAY.

use std::sync::Arc;

use arrow::array::*;

use crate::arrays::*;

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

pub fn shape(name: &str) -> Option<RecordBatch> {
    let never = |_| false;
    let sixteenth = |i| i % 16 == 15;
    Some(match name {
        "small_string_shared_prefix" => col(some(8192, never, |i| suffixed(KIB, i))),
        "small_string_partial_prefix" => {
            col(some(8192, never, |i| suffixed(KIB / 2 + 8, i) + &"y".repeat(KIB / 2 - 8)))
        }
        "small_string_distinct" => col(some(8192, never, |i| prefixed(KIB, i))),
        "large_string_shared_prefix" => col(some(128, never, |i| suffixed(2 * MIB, i))),
        "large_string_distinct" => col(some(128, never, |i| prefixed(2 * MIB, i))),
        "large_string_shared_prefix_nullable" => col(some(128, sixteenth, |i| suffixed(2 * MIB, i))),
        "large_string_shared_prefix_nullable_dense" => col(some(128, |i| i % 2 == 1, |i| suffixed(2 * MIB, i))),
        "large_string_shared_prefix_nullable_trailing" => col(some(128, |i| i >= 120, |i| suffixed(2 * MIB, i))),
        "large_string_distinct_nullable" => col(some(128, sixteenth, |i| prefixed(2 * MIB, i))),
        "medium_string_shared_prefix_nullable" => col(some(1024, sixteenth, |i| suffixed(256 * KIB, i))),
        "large_string_shared_prefix_list" => {
            col(Arc::new(lists(4, some(128, never, |i| suffixed(2 * MIB, i)))))
        }
        _ => return None,
    })
}

/// n strings or nulls.
fn some(n: usize, null: impl Fn(usize) -> bool, text: impl Fn(usize) -> String) -> ArrayRef {
    Arc::new(StringArray::from_iter((0..n).map(|i| (!null(i)).then(|| text(i)))))
}

/// A string of len bytes that ends in its index.
fn suffixed(len: usize, i: usize) -> String {
    format!("{}{i:08}", "x".repeat(len - 8))
}

/// A string of len bytes that begins with its index.
fn prefixed(len: usize, i: usize) -> String {
    format!("{i:08}{}", "x".repeat(len - 8))
}

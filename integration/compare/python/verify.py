"""Compares a Parquet file with the Arrow stream that it was written from: verify.py STREAM FILE. Prints "ok", or what
differs.

Both sides are decoded first, at every depth: runs, dictionaries and views become plain values, null lists lose their
elements, and floats become the integers of their bits, since NaN equals nothing."""

import sys

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

BITS = {pa.float16(): pa.uint16(), pa.float32(): pa.uint32(), pa.float64(): pa.uint64()}


def runs(a):
    """The values of a run-end-encoded array, one for each of its slots, decoded first: not all types can be taken."""
    ends = np.clip(a.run_ends.to_numpy(zero_copy_only=False).astype(np.int64) - a.offset, 0, len(a))
    lengths = np.diff(ends, prepend=0)
    return plain(a.values).take(pa.array(np.repeat(np.arange(len(ends)), lengths)))


def lists(a):
    lengths = pc.list_value_length(a).fill_null(0).cast(pa.int64())
    offsets = pa.concat_arrays([pa.array([0], pa.int64()), pc.cumulative_sum(lengths)])
    return pa.LargeListArray.from_arrays(offsets, plain(a.flatten()), mask=a.is_null())


def plain(a):
    t = a.type
    if pa.types.is_run_end_encoded(t):
        return runs(a)
    if pa.types.is_dictionary(t):
        return plain(a.dictionary_decode())
    if pa.types.is_struct(t):
        children = [plain(c) for c in a.flatten()]
        return pa.StructArray.from_arrays(children, names=[f.name for f in t], mask=a.is_null())
    if pa.types.is_map(t):
        return lists(a.cast(pa.list_(pa.struct([t.key_field, t.item_field]))))
    if pa.types.is_list(t) or pa.types.is_large_list(t):
        return lists(a)
    if pa.types.is_string_view(t) or pa.types.is_string(t):
        return a.cast(pa.large_string())
    if pa.types.is_binary_view(t) or pa.types.is_binary(t):
        return a.cast(pa.large_binary())
    if pa.types.is_date64(t):
        return a.view(pa.int64())  # ours are timestamps in milliseconds
    if t in BITS:
        return a.view(BITS[t])
    return a


def column(chunked):
    chunks = [plain(c) for c in chunked.chunks]
    return pa.chunked_array(chunks, chunks[0].type) if chunks else chunked


def difference(want, got):
    """What differs, "" for nothing."""
    if want.num_rows != got.num_rows:
        return f"{got.num_rows} records, not {want.num_rows}"
    if want.column_names != got.column_names:
        return f"columns {got.column_names}, not {want.column_names}"
    for name in want.column_names:
        a, b = column(want[name]), column(got[name])
        if a.type != b.type:
            b = b.cast(a.type)
        if not a.equals(b):
            return f"column {name} of {want[name].type}, read as {got[name].type}"
    return ""


def main(stream, file):
    with pa.OSFile(stream) as source:
        want = pa.ipc.open_stream(source).read_all()
    print(difference(want, pq.read_table(file)) or "ok")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Brings arrays into layouts that pyarrow can cast and compare at any depth.

Run ends and dictionaries are decoded, list views become lists, maps lists of their entries, views strings and binary, and
intervals the twelve bytes that Parquet stores for them.
"""

import numpy as np
import pyarrow as pa

LISTS = {"list": pa.list_, "large_list": pa.large_list, "list_view": pa.list_view, "large_list_view": pa.large_list_view}
LEAVES = {pa.string_view(): pa.string(), pa.binary_view(): pa.binary(), pa.month_day_nano_interval(): pa.binary(12)}


def list_name(kind):
    """Which of the kinds of lists a type is, fixed_size_list among them, or None."""
    return next((name for name in ("fixed_size_list", *LISTS) if getattr(pa.types, f"is_{name}")(kind)), None)


def plain(kind):
    """The type of plain arrays of this type."""
    while pa.types.is_run_end_encoded(kind) or pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(field.name, plain(field.type)) for field in kind])
    if pa.types.is_map(kind):
        return pa.list_(pa.struct([("key", plain(kind.key_type)), ("value", plain(kind.item_type))]))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(plain(kind.value_type), kind.list_size)
    if name := list_name(kind):
        return LISTS[name.removesuffix("_view")](plain(kind.value_type))
    return LEAVES.get(kind, kind)


def plain_array(array):
    """The array, with the values that it has and of its plain type, but for the names of children."""
    kind = array.type
    if pa.types.is_run_end_encoded(kind):
        slots = np.arange(array.offset, array.offset + len(array))
        return plain_array(array.values).take(pa.array(np.searchsorted(array.run_ends.to_numpy(), slots, side="right")))
    if pa.types.is_dictionary(kind):
        values = plain_array(array.dictionary)
        # Readers give slots that a null hides an index into nothing.
        return values.take(array.indices) if len(values) else pa.nulls(len(array), values.type)
    if pa.types.is_struct(kind):
        children = [plain_array(array.field(i)) for i in range(kind.num_fields)]
        return pa.StructArray.from_arrays(children, names=[field.name for field in kind], mask=array.is_null())
    if pa.types.is_map(kind):
        entries = pa.StructArray.from_arrays([plain_array(array.keys), plain_array(array.items)], ["key", "value"])
        return pa.ListArray.from_arrays(offsets(array), entries, mask=array.is_null())
    if pa.types.is_fixed_size_list(kind):
        values = array.values.slice(array.offset * kind.list_size, len(array) * kind.list_size)
        return pa.FixedSizeListArray.from_arrays(plain_array(values), kind.list_size, mask=array.is_null())
    if name := list_name(kind):
        return plain_list(array, name)
    if pa.types.is_interval(kind):
        return interval_bytes(array)
    return array.cast(LEAVES[kind]) if kind in LEAVES else array


def offsets(array):
    """The array's offsets, in memory of their own, as pyarrow takes no mask with a slice of offsets."""
    return pa.array(array.offsets.to_numpy(), array.offsets.type)


def plain_list(array, name):
    array_type = {"list": pa.ListArray, "large_list": pa.LargeListArray}[name.removesuffix("_view")]
    values = plain_array(array.values)
    if not name.endswith("_view"):
        return array_type.from_arrays(offsets(array), values, mask=array.is_null())
    first = array.offsets.to_numpy()
    length = np.where(array.is_valid(), array.sizes.to_numpy(), 0)
    ends = np.cumsum(length)
    slots = np.arange(length.sum()) + np.repeat(first - (ends - length), length)
    starts = pa.array(np.concatenate([[0], ends]), array.offsets.type)
    return array_type.from_arrays(starts, values.take(pa.array(slots)), mask=array.is_null())


def interval_bytes(array):
    """Months, days and milliseconds of intervals, four bytes each."""
    parts = np.dtype([("months", "<i4"), ("days", "<i4"), ("nanoseconds", "<i8")])
    have = np.frombuffer(array.buffers()[1], parts, len(array), array.offset * parts.itemsize)
    want = np.zeros(len(array), [("months", "<u4"), ("days", "<u4"), ("milliseconds", "<u4")])
    valid = array.is_valid().to_numpy(zero_copy_only=False)
    for name in ("months", "days"):
        want[name][valid] = have[name][valid]
    want["milliseconds"][valid] = have["nanoseconds"][valid] // 1_000_000
    return pa.array([bytes(part) if there else None for part, there in zip(want, valid)], pa.binary(12))

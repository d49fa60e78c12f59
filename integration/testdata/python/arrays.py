"""Seeded random arrays of any type, with nulls at every level.

They are built from buffers rather than from Python values, so that null slots of lists and structs hide values that must
never be stored.
"""

import functools
import random

import numpy as np
import pyarrow as pa

LONG_LIST = 10_000  # elements in one list of a long array
VIEWS = {pa.string_view(): pa.string(), pa.binary_view(): pa.binary()}


def make(rng, field, slots, null_share=None):
    """An array of the field's type; null slots of nested arrays keep their children."""
    kind = field.type
    if pa.types.is_run_end_encoded(kind):
        return runs(rng, field, slots, null_share)
    if null_share is None:
        null_share = rng.choice([0, 0.02, 0.5, 0.98]) if field.nullable else 0
    absent = rng.random(slots) < null_share
    mask = pa.array(absent)
    if pa.types.is_struct(kind):
        return pa.StructArray.from_arrays([make(rng, f, slots) for f in kind], fields=list(kind), mask=mask)
    if pa.types.is_fixed_size_list(kind):
        values = make(rng, kind.value_field, slots * kind.list_size)
        return pa.FixedSizeListArray.from_arrays(values, type=kind, mask=mask)
    if pa.types.is_map(kind):
        keys, offsets = map_keys(rng, kind.key_type, slots)
        items = make(rng, kind.item_field, len(keys))
        return pa.MapArray.from_arrays(offsets, keys, items, type=kind, mask=mask)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        lengths = rng.integers(0, 5, size=slots)
        if slots > LONG_LIST / 3:
            lengths[slots // 2] = LONG_LIST
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        values = make(rng, kind.value_field, int(offsets[-1]))
        if pa.types.is_list(kind):
            return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values, type=kind, mask=mask)
        return pa.LargeListArray.from_arrays(pa.array(offsets, pa.int64()), values, type=kind, mask=mask)
    if pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind):
        return list_views(rng, kind, slots, mask)
    return leaf(rng, kind, slots, absent)


def runs(rng, field, slots, null_share):
    """A slice of a longer run-end-encoded array."""
    kind = field.type
    before, after = (int(n) for n in rng.integers(0, 20, size=2))
    ends = np.cumsum(rng.choice([1, 1, 2, 3, 9, 70], size=before + slots + after))
    ends = np.append(ends[ends < before + slots + after], before + slots + after)
    values = make(rng, field.with_type(kind.value_type), len(ends), null_share)
    return pa.RunEndEncodedArray.from_arrays(pa.array(ends, kind.run_end_type), values).slice(before, slots)


def list_views(rng, kind, slots, mask):
    """List views in any order, which overlap and leave values out."""
    lengths = rng.integers(0, 5, size=slots)
    count = 2 * slots + 4
    values = make(rng, kind.value_field, count)
    offsets = rng.integers(0, count - lengths, endpoint=True)
    array, index = (pa.ListViewArray, pa.int32()) if pa.types.is_list_view(kind) else (pa.LargeListViewArray, pa.int64())
    return array.from_arrays(pa.array(offsets, index), pa.array(lengths, index), values, type=kind, mask=mask)


def map_keys(rng, kind, slots):
    """Keys of so many maps, distinct inside each, and their offsets."""
    if pa.types.is_run_end_encoded(kind):
        keys, offsets = map_keys(rng, kind.value_type, slots)
        return pa.RunEndEncodedArray.from_arrays(pa.array(range(1, len(keys) + 1), kind.run_end_type), keys), offsets
    if kind in VIEWS:
        keys, offsets = map_keys(rng, VIEWS[kind], slots)
        return keys.cast(kind), offsets
    pool = leaf(rng, kind, 12, np.zeros(12, bool), special=False)
    values = pool.to_pylist()
    distinct = np.array(sorted(values.index(value) for value in set(values)))
    lengths = rng.integers(0, min(4, len(distinct) + 1), size=slots)
    orders = rng.permuted(np.tile(distinct, (slots, 1)), axis=1)
    keys = pool.take(pa.array(orders[np.arange(len(distinct)) < lengths[:, None]], pa.int64()))
    return keys, pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int32())


def leaf(rng, kind, slots, absent, special=True):
    if pa.types.is_dictionary(kind):
        return dictionary(rng, kind, slots, absent, special)
    if pa.types.is_null(kind):
        return pa.nulls(slots)
    if kind in VIEWS:
        return views(rng, kind, slots, absent, special)
    if pa.types.is_boolean(kind):
        return pa.array(rng.random(slots) < 0.3, mask=absent)
    if pa.types.is_floating(kind):
        return pa.array(floats(rng, kind, slots, special), kind, mask=absent)
    if pa.types.is_decimal(kind):
        return decimals(rng, kind, slots, absent)
    if pa.types.is_interval(kind):
        return intervals(rng, kind, slots, absent)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        picks = np.where(rng.random(slots) < 0.5, rng.integers(0, 8, slots), rng.integers(0, len(texts()), slots))
        return texts().take(pa.array(picks, mask=absent)).cast(kind)
    if pa.types.is_fixed_size_binary(kind):
        return pa.Array.from_buffers(kind, slots, [validity(absent), pa.py_buffer(rng.bytes(kind.byte_width * slots))])
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        ends = np.append(0, np.cumsum(rng.integers(0, 20, size=slots))).astype("<i4" if pa.types.is_binary(kind) else "<i8")
        return pa.Array.from_buffers(kind, slots, [validity(absent), pa.py_buffer(ends), pa.py_buffer(rng.bytes(int(ends[-1])))])
    return integers(rng, kind, slots, absent)


@functools.cache
def texts():
    words = ["", "a", "sluice", "één", "日本語", "🦆", "x" * 300, "tab\tnewline\n"]
    return pa.array(words + [f"row {number}" for number in range(1000)])


def views(rng, kind, slots, absent, special):
    """Views into several buffers."""
    parts = [range(slots)[start : start + 100] for start in range(0, max(1, slots), 100)]
    values = (leaf(rng, VIEWS[kind], len(part), absent[part.start : part.stop], special) for part in parts)
    return pa.concat_arrays([array.cast(kind) for array in values])


def dictionary(rng, kind, slots, absent, special):
    """Indices into a dictionary that has entries without a reference and, where special, a null entry."""
    entries = 2 if pa.types.is_boolean(kind.value_type) else 9
    if pa.types.is_nested(kind.value_type) or pa.types.is_run_end_encoded(kind.value_type):
        values = make(rng, pa.field("entry", kind.value_type, nullable=bool(absent.any())), entries)
    else:
        nulls = np.zeros(entries, bool)
        nulls[-1] = special and bool(absent.any())
        values = leaf(rng, kind.value_type, entries, nulls, special)
    picks = rng.integers(0, entries, size=slots)
    picks[picks == 1] = 0
    return pa.DictionaryArray.from_arrays(pa.array(picks, kind.index_type, mask=absent), values)


def intervals(rng, kind, slots, absent):
    """Months, days, and nanoseconds that are whole milliseconds; behind a null there is what cannot be stored."""
    parts = np.zeros(slots, np.dtype([("months", "<i4"), ("days", "<i4"), ("nanoseconds", "<i8")]))
    for name, high in (("months", 2**31), ("days", 2**31), ("nanoseconds", 2**32)):
        parts[name] = np.where(rng.random(slots) < 0.3, rng.integers(0, 3, slots), rng.integers(0, high, slots))
    parts["nanoseconds"] *= 1_000_000
    parts[absent] = (-1, -1, -1)
    return pa.Array.from_buffers(kind, slots, [validity(absent), pa.py_buffer(parts.tobytes())])


def validity(absent):
    return pa.array(~absent).buffers()[1] if len(absent) else None


def floats(rng, kind, slots, special):
    dtype = np.dtype(kind.to_pandas_dtype())
    values = (rng.standard_normal(slots) * 100).round(int(rng.integers(0, 4))).astype(dtype)
    if special:
        odd = np.array([np.nan, np.inf, -np.inf, -0.0, np.finfo(dtype).max, np.finfo(dtype).tiny], dtype)
        values = np.where(rng.random(slots) < 0.1, rng.choice(odd, slots), values)
    return values


def decimals(rng, kind, slots, absent):
    """Unscaled integers of up to the type's precision, of either sign, from a few."""
    random_ = random.Random(int(rng.integers(0, 2**32)))
    width = kind.bit_width // 8
    ends = [10 ** random_.randint(1, kind.precision) - 1 for _ in range(20)]
    unscaled = [random_.choice((end, -end, random_.randint(-end, end))) for end in ends]
    some = np.array([value.to_bytes(width, "little", signed=True) for value in unscaled], f"V{width}")
    data = some[rng.integers(0, len(some), slots)].tobytes()
    return pa.Array.from_buffers(kind, slots, [validity(absent), pa.py_buffer(data)])


# The range of each time type, in its own unit: what every reader can still show.
SECONDS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
DAYS = (-719_162, 2_932_896)  # the years 1 to 9999


def integers(rng, kind, slots, absent):
    """Integers, and the types that are stored as one: dates, times, timestamps, durations."""
    storage = pa.int32() if kind.bit_width == 32 else pa.int64()
    step = 1
    if pa.types.is_date32(kind):
        low, high = DAYS
    elif pa.types.is_date64(kind):
        (low, high), step = DAYS, 86_400_000
    elif pa.types.is_time(kind):
        low, high = 0, 86_400 * SECONDS[kind.unit] - 1
    elif pa.types.is_timestamp(kind) and kind.unit != "ns":
        low, high = (day * 86_400 * SECONDS[kind.unit] for day in DAYS)
    elif pa.types.is_timestamp(kind):
        low, high = -(2**62), 2**62
    elif pa.types.is_duration(kind):
        high = min(2**62, 8 * 10**13 * SECONDS[kind.unit])  # what Python's timedelta holds
        low = -high
    else:
        storage, limits = kind, np.iinfo(kind.to_pandas_dtype())
        low, high = limits.min, limits.max
    small = rng.integers(0, 10, size=slots)
    wide = rng.integers(low, high, size=slots, endpoint=True, dtype=np.uint64 if low == 0 and high > 2**63 else np.int64)
    ends = np.where(rng.random(slots) < 0.5, np.array(low, wide.dtype), np.array(high, wide.dtype))
    pick = rng.random(slots)
    values = np.where(pick < 0.4, small.astype(wide.dtype), np.where(pick < 0.9, wide, ends)) * np.array(step, wide.dtype)
    return pa.array(values.astype(storage.to_pandas_dtype()), storage, mask=absent).view(kind)

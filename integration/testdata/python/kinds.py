"""Seeded tables of every Arrow type that sluice takes, in every shape, with nulls at every level.

A table is a family of leaf types times the shapes below, one column for each pair. The arrays are built from buffers
rather than from Python values, so that null slots of lists and structs hide values that must never be stored, and each
batch is a slice of a longer one.
"""

import random

import numpy as np
import pyarrow as pa

INDEXES = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
UNITS = ["s", "ms", "us", "ns"]

RUN_VALUES = [
    pa.bool_(),
    pa.uint8(),
    pa.float16(),
    pa.float64(),
    pa.decimal32(7, 3),
    pa.decimal128(38, 10),
    pa.decimal256(30, 5),
    pa.date64(),
    pa.time32("s"),
    pa.timestamp("us", "Europe/Paris"),
    pa.duration("ms"),
    pa.string(),
    pa.large_string(),
    pa.binary(16),
    pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.int16(), pa.int64()),
]
RUNS_OF_STRINGS = pa.run_end_encoded(pa.int16(), pa.string())
NESTED_RUN_VALUES = [
    RUNS_OF_STRINGS,
    pa.struct([pa.field("r", pa.int32(), nullable=False), pa.field("o", pa.string()), pa.field("e", RUNS_OF_STRINGS)]),
    pa.list_(pa.int32()),
    pa.list_(RUNS_OF_STRINGS),
    pa.large_list(pa.list_(pa.dictionary(pa.int8(), pa.string()))),
    pa.list_(pa.bool_(), 3),
    pa.map_(pa.int32(), RUNS_OF_STRINGS),
]

FAMILIES = {
    "integers": [
        pa.bool_(),
        *[getattr(pa, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64)],
    ],
    "floats": [pa.float16(), pa.float32(), pa.float64()],
    "decimals": [
        pa.decimal32(7, 3),
        pa.decimal64(15, 4),
        pa.decimal128(5, 0),
        pa.decimal128(18, 2),
        pa.decimal128(38, 10),
        pa.decimal256(30, 5),
        pa.decimal256(76, 20),
    ],
    "times": [
        pa.date32(),
        pa.date64(),
        *[pa.time32(unit) for unit in ("s", "ms")],
        *[pa.time64(unit) for unit in ("us", "ns")],
        *[pa.duration(unit) for unit in UNITS],
    ],
    "timestamps": [pa.timestamp(unit, tz) for unit in UNITS for tz in (None, "UTC", "Europe/Paris")],
    "bytes": [pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.binary(1), pa.binary(16)],
    "dictionaries": [
        *[pa.dictionary(index, pa.string()) for index in INDEXES],
        pa.dictionary(pa.int32(), pa.large_string()),
        pa.dictionary(pa.int32(), pa.binary()),
        pa.dictionary(pa.int32(), pa.binary(4)),
        pa.dictionary(pa.int8(), pa.bool_()),
        pa.dictionary(pa.int16(), pa.int64()),
        pa.dictionary(pa.int16(), pa.uint8()),
        pa.dictionary(pa.int16(), pa.float64()),
        pa.dictionary(pa.int16(), pa.decimal128(20, 3)),
        pa.dictionary(pa.int16(), pa.date32()),
        pa.dictionary(pa.int16(), pa.timestamp("us", "UTC")),
        pa.dictionary(pa.int16(), pa.duration("ms")),
    ],
    "runs": [
        *[pa.run_end_encoded(ends, pa.int64()) for ends in (pa.int16(), pa.int32(), pa.int64())],
        *[pa.run_end_encoded(pa.int32(), values) for values in RUN_VALUES],
    ],
    "nested_runs": [pa.run_end_encoded(pa.int32(), values) for values in NESTED_RUN_VALUES],
}


def optional(name, kind):
    return pa.field(name, kind)


def required(name, kind):
    return pa.field(name, kind, nullable=False)


def structure(*fields):
    return pa.struct(list(fields))


# Each shape turns a leaf type into a column: a name and the field.
SHAPES = {
    "required": lambda t: required("c", t),
    "optional": lambda t: optional("c", t),
    "absent": lambda t: optional("c", t),  # null everywhere, see ABSENT
    "struct": lambda t: optional("c", structure(required("r", t), optional("o", t))),
    "list": lambda t: optional("c", pa.list_(t)),
    "list_required": lambda t: required("c", pa.list_(required("item", t))),
    "large_list": lambda t: optional("c", pa.large_list(t)),
    "fixed": lambda t: optional("c", pa.list_(t, 3)),
    "map": lambda t: optional("c", pa.map_(pa.string(), t)),
    "key": lambda t: optional("c", pa.map_(t, pa.int32())),
    "struct_struct": lambda t: optional("c", structure(optional("s", structure(optional("o", t))))),
    "list_list": lambda t: optional("c", pa.list_(pa.list_(t))),
    "list_struct_list": lambda t: optional("c", pa.list_(structure(optional("o", t), optional("l", pa.list_(t))))),
    "list_fixed": lambda t: optional("c", pa.list_(pa.list_(t, 2))),
    "fixed_large_list": lambda t: optional("c", pa.list_(pa.large_list(t), 2)),
    "struct_map_list": lambda t: optional("c", structure(optional("m", pa.map_(pa.int32(), pa.list_(t))))),
    "list_map_struct": lambda t: optional("c", pa.list_(pa.map_(pa.string(), structure(required("r", t))))),
}
ABSENT = "absent"
REQUIRED_BELOW_STRUCT = ["struct", "list_map_struct"]

BATCH_RECORDS = [0, 1, 2, 63, 64, 65, 0, 127, 300, 7]

# A second kind of table: few columns, but records longer than any internal block, and enough for several pages.
LONG_LEAVES = [
    pa.int32(),
    pa.string(),
    pa.bool_(),
    pa.dictionary(pa.int32(), pa.string()),
    pa.run_end_encoded(pa.int32(), pa.string()),
]
LONG_SHAPES = ["required", "optional", "list", "list_struct_list", "map"]
LONG_BATCH_RECORDS = [5000, 1, 30011, 4096]
LONG_LIST = 10_000


def schema(family):
    """The schema of a family's table; column names are shape:type, where run ends count as part of the shape."""
    leaves, shapes = (LONG_LEAVES, LONG_SHAPES) if family == "long" else (FAMILIES[family], SHAPES)
    pairs = [(shape, leaf) for leaf in leaves for shape in shapes if fits(shape, leaf)]
    return pa.schema([SHAPES[shape](leaf).with_name(column_name(shape, leaf)) for shape, leaf in pairs])


def fits(shape, leaf):
    """Whether a type goes into a shape, and the readers can take what comes of it, also from a file of pyarrow's own."""
    inner = leaf
    while pa.types.is_run_end_encoded(inner):
        inner = inner.value_type
    if pa.types.is_dictionary(inner) or not pa.types.is_nested(inner):
        return True
    if shape == "key":
        return False
    if pa.types.is_fixed_size_list(inner) and shape in REQUIRED_BELOW_STRUCT:
        return False  # pyarrow cannot read a required one below a struct that is null
    return shape != ABSENT or "dictionary" not in str(inner)  # arrow-go makes no dictionary for lists that are all null


def column_name(shape, leaf):
    if pa.types.is_run_end_encoded(leaf):
        return column_name(f"{shape} of {leaf.run_end_type} runs", leaf.value_type)
    return f"{shape}:{leaf}"


def batches(family, seed):
    """The record batches of a family's table, the same for the same seed."""
    rng = np.random.default_rng(seed)
    kind = schema(family)
    for records in LONG_BATCH_RECORDS if family == "long" else BATCH_RECORDS:
        before, after = rng.integers(0, 70, size=2)
        whole = pa.record_batch(
            [column(rng, field, int(before) + records + int(after)) for field in kind],
            schema=kind,
        )
        yield whole.slice(before, records)


def column(rng, field, slots):
    if not field.name.startswith(ABSENT):
        return make(rng, field, slots)
    if pa.types.is_run_end_encoded(field.type):
        ends = [slots] if slots else []
        values = make(rng, pa.field("values", field.type.value_type), len(ends), null_share=1)
        return pa.RunEndEncodedArray.from_arrays(pa.array(ends, field.type.run_end_type), values)
    return pa.nulls(slots, field.type)


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
    return leaf(rng, kind, slots, absent)


def runs(rng, field, slots, null_share):
    """A slice of a longer run-end-encoded array."""
    kind = field.type
    before, after = (int(n) for n in rng.integers(0, 20, size=2))
    ends = np.cumsum(rng.choice([1, 1, 2, 3, 9, 70], size=before + slots + after))
    ends = np.append(ends[ends < before + slots + after], before + slots + after)
    values = make(rng, field.with_type(kind.value_type), len(ends), null_share)
    return pa.RunEndEncodedArray.from_arrays(pa.array(ends, kind.run_end_type), values).slice(before, slots)


def map_keys(rng, kind, slots):
    """Keys of so many maps, distinct inside each, and their offsets."""
    if pa.types.is_run_end_encoded(kind):
        keys, offsets = map_keys(rng, kind.value_type, slots)
        return pa.RunEndEncodedArray.from_arrays(pa.array(range(1, len(keys) + 1), kind.run_end_type), keys), offsets
    pool = leaf(rng, kind, 12, np.zeros(12, bool), special=False)
    plain = pool.dictionary_decode() if pa.types.is_dictionary(kind) else pool
    if pa.types.is_float16(kind):
        plain = plain.view(pa.int16())
    elif pa.types.is_decimal(kind):
        plain = plain.cast(pa.string())
    distinct = np.unique(plain.dictionary_encode().indices, return_index=True)[1]
    lengths = rng.integers(0, min(4, len(distinct) + 1), size=slots)
    chosen = [rng.permutation(distinct)[:length] for length in lengths]
    keys = pool.take(pa.array(np.concatenate([np.zeros(0, int), *chosen]), pa.int64()))
    return keys, pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int32())


def leaf(rng, kind, slots, absent, special=True):
    if pa.types.is_dictionary(kind):
        return dictionary(rng, kind, slots, absent, special)
    if pa.types.is_boolean(kind):
        return pa.array(rng.random(slots) < 0.3, mask=absent)
    if pa.types.is_floating(kind):
        return pa.array(floats(rng, kind, slots, special), kind, mask=absent)
    if pa.types.is_decimal(kind):
        return decimals(rng, kind, slots, absent)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return pa.array(masked(texts(rng, slots), absent), kind)
    if pa.types.is_fixed_size_binary(kind):
        return pa.array(masked([rng.bytes(kind.byte_width) for _ in range(slots)], absent), kind)
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return pa.array(masked([rng.bytes(n) for n in rng.integers(0, 20, size=slots)], absent), kind)
    return integers(rng, kind, slots, absent)


def masked(values, absent):
    return [None if missing else value for value, missing in zip(values, absent)]


def dictionary(rng, kind, slots, absent, special):
    """Indices into a dictionary that has entries without a reference and, where special, a null entry."""
    entries = 2 if pa.types.is_boolean(kind.value_type) else 9
    nulls = np.zeros(entries, bool)
    nulls[-1] = special and bool(absent.any())
    values = leaf(rng, kind.value_type, entries, nulls, special)
    picks = rng.integers(0, entries, size=slots)
    picks[picks == 1] = 0
    return pa.DictionaryArray.from_arrays(pa.array(picks, kind.index_type, mask=absent), values)


def floats(rng, kind, slots, special):
    dtype = np.dtype(kind.to_pandas_dtype())
    values = (rng.standard_normal(slots) * 100).round(int(rng.integers(0, 4))).astype(dtype)
    if special:
        odd = np.array([np.nan, np.inf, -np.inf, -0.0, np.finfo(dtype).max, np.finfo(dtype).tiny], dtype)
        values = np.where(rng.random(slots) < 0.1, rng.choice(odd, slots), values)
    return values


def decimals(rng, kind, slots, absent):
    """Unscaled integers of up to the type's precision, of either sign."""
    random_ = random.Random(int(rng.integers(0, 2**32)))
    width = kind.bit_width // 8
    digits = [10 ** random_.randint(1, kind.precision) - 1 for _ in range(slots)]
    unscaled = (random_.choice((end, -end, random_.randint(-end, end))) for end in digits)
    data = b"".join(value.to_bytes(width, "little", signed=True) for value in unscaled)
    validity = pa.array(~absent).buffers()[1] if slots else None
    return pa.Array.from_buffers(kind, slots, [validity, pa.py_buffer(data)])


def texts(rng, slots):
    words = ["", "a", "sluice", "één", "日本語", "🦆", "x" * 300, "tab\tnewline\n"]
    for pick in rng.integers(0, 2 * len(words), size=slots):
        yield words[pick] if pick < len(words) else f"row {rng.integers(0, 1000)}"


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

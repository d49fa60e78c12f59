"""Seeded tables of every Arrow type that sluice takes, in every shape, with nulls at every level.

A table is a family of leaf types times the shapes below, one column for each pair. Each batch is a slice of a longer one.
"""

import numpy as np
import pyarrow as pa

import arrays

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
NESTED_VALUES = [
    pa.struct([pa.field("r", pa.int32(), nullable=False), pa.field("o", pa.string())]),
    pa.list_(pa.int32()),
    pa.list_view(pa.string_view()),
    pa.large_list(pa.list_(pa.dictionary(pa.int8(), pa.string()))),
    pa.list_(pa.bool_(), 3),
    pa.map_(pa.int32(), pa.string()),
]
# Not below a dictionary: arrow-go, which is what the server reads streams with, cannot take run ends there.
NESTED_RUN_VALUES = [
    *NESTED_VALUES,
    RUNS_OF_STRINGS,
    pa.struct([pa.field("r", pa.int32(), nullable=False), pa.field("e", RUNS_OF_STRINGS)]),
    pa.list_(RUNS_OF_STRINGS),
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
    "nested_dictionaries": [
        *[pa.dictionary(pa.int16(), values) for values in NESTED_VALUES],
        pa.run_end_encoded(pa.int64(), pa.dictionary(pa.int8(), pa.list_(pa.int32()))),
    ],
    "views": [
        pa.string_view(),
        pa.binary_view(),
        pa.dictionary(pa.int32(), pa.string_view()),
        pa.run_end_encoded(pa.int32(), pa.binary_view()),
    ],
    "list_views": [
        pa.int32(),
        pa.string(),
        pa.bool_(),
        pa.binary_view(),
        pa.dictionary(pa.int8(), pa.string()),
        RUNS_OF_STRINGS,
    ],
    "intervals": [pa.month_day_nano_interval(), pa.run_end_encoded(pa.int32(), pa.month_day_nano_interval())],
    "nothing": [pa.null(), pa.run_end_encoded(pa.int32(), pa.null())],
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
WITH_REQUIRED = ["required", "list_required", "key", *REQUIRED_BELOW_STRUCT]

# The shapes of list views, which have a family of their own.
LIST_VIEW_SHAPES = {
    "list_view": lambda t: optional("c", pa.list_view(t)),
    "list_view_required": lambda t: required("c", pa.list_view(required("item", t))),
    "large_list_view": lambda t: optional("c", pa.large_list_view(t)),
    "struct_list_view": lambda t: optional("c", structure(optional("l", pa.list_view(t)))),
    "fixed_list_view": lambda t: optional("c", pa.list_(pa.list_view(t), 2)),
    "map_list_view": lambda t: optional("c", pa.map_(pa.string(), pa.list_view(t))),
    "list_list_view": lambda t: optional("c", pa.list_(pa.list_view(t))),
    "list_view_list": lambda t: optional("c", pa.list_view(pa.list_(t))),
    "list_view_list_view": lambda t: optional("c", pa.list_view(pa.large_list_view(t))),
    "list_view_struct_list_view": lambda t: optional(
        "c", pa.list_view(structure(required("r", t), optional("l", pa.list_view(t))))
    ),
}

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


def schema(family):
    """The schema of a family's table; column names are shape:type, where run ends count as part of the shape."""
    leaves, shapes = FAMILIES.get(family, LONG_LEAVES), SHAPES
    if family == "long":
        shapes = {name: SHAPES[name] for name in LONG_SHAPES}
    elif family == "list_views":
        shapes = LIST_VIEW_SHAPES
    pairs = [(shape, leaf) for leaf in leaves for shape in shapes if fits(shape, leaf)]
    return pa.schema([shapes[shape](leaf).with_name(column_name(shape, leaf)) for shape, leaf in pairs])


def fits(shape, leaf):
    """Whether a type goes into a shape, and the readers can take what comes of it, also from a file of pyarrow's own."""
    while pa.types.is_run_end_encoded(leaf) or pa.types.is_dictionary(leaf):
        leaf = leaf.value_type
    if pa.types.is_null(leaf):
        return shape not in WITH_REQUIRED
    if not pa.types.is_nested(leaf):
        return True
    if shape == "key":
        return False
    if pa.types.is_fixed_size_list(leaf) and shape in REQUIRED_BELOW_STRUCT:
        return False  # pyarrow cannot read a required one below a struct that is null
    return shape != ABSENT or "dictionary" not in str(leaf)  # arrow-go makes no dictionary for lists that are all null


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
    return arrays.make(rng, field, slots, null_share=1 if field.name.startswith(ABSENT) else None)

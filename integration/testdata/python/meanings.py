"""Tables of the logical types that Arrow has none for, one kind each, as clients send them: by a field's metadata."""

import functools

import pyarrow as pa

import arrays

VARIANT = {"ARROW:extension:name": "arrow.parquet.variant", "ARROW:extension:metadata": ""}
NAMES = b"\x11\x02\x00\x01\x03abc"  # of the fields of VARIANTs: "a", "bc"


def extension(name, metadata=""):
    return {"ARROW:extension:name": name, "ARROW:extension:metadata": metadata}


def wkb(code, *numbers):
    """Little-endian WKB: an int is a count, a float a coordinate, bytes are another geometry."""
    parts = {int: lambda n: n.to_bytes(4, "little"), float: lambda n: arrays.np.float64(n).tobytes(), bytes: bytes}
    return b"\x01" + b"".join(parts[type(n)](n) for n in (code, *numbers))


SHAPES = [
    wkb(1, 1.0, 2.0),
    wkb(2, 2, 1.0, 2.0, -3.5, 4.0),
    wkb(3, 1, 4, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0),
    wkb(1001, 1.0, 2.0, 3.0),
    wkb(7, 1, wkb(4, 1, wkb(1, 5.0, 6.0))),
    wkb(2, 0),
]


@functools.cache
def sent(name):
    """An extension type of that name for the client alone: on the way it is the metadata of a field."""

    class Sent(pa.ExtensionType):
        def __init__(self, storage):
            super().__init__(storage, name)

        def __arrow_ext_serialize__(self):
            return b""

        @classmethod
        def __arrow_ext_deserialize__(cls, storage, serialized):
            return cls(storage)

    return Sent


def variants(typed=None):
    fields = [
        pa.field("metadata", pa.binary(), nullable=False),
        pa.field("value", pa.binary(), nullable=typed is not None),
    ]
    return pa.struct(fields + ([pa.field("typed_value", typed)] if typed else []))


def shredded(typed):
    return pa.struct([pa.field("value", pa.binary()), pa.field("typed_value", typed)])


def whole(value):
    return {"metadata": NAMES, "value": value}


def typed(value, typed_value=None):
    return {"metadata": NAMES, "value": value, "typed_value": typed_value}


INT8, NULL, TEXT = b"\x0c\x05", b"\x00", b"\x09hi"  # 5, null and "hi", encoded
OBJECT = pa.struct(
    [pa.field("a", shredded(pa.int64()), nullable=False), pa.field("bc", shredded(pa.string()), nullable=False)]
)
LIST = pa.list_(pa.field("element", shredded(pa.string()), nullable=False))


def part(value=None, typed_value=None):
    return {"value": value, "typed_value": typed_value}


# A kind: the type of the storage, the metadata of the field, values, and these as text for readers that show them so.
# DuckDB takes the null that a VARIANT may be for no value.
KINDS = {
    "ENUM": (pa.string(), {"PARQUET:logical_type": "ENUM"}, ["RED", "GREEN", ""], None),
    "BSON": (
        pa.binary(),
        {"PARQUET:logical_type": "BSON"},
        [b"\x05\x00\x00\x00\x00", b"\x0c\x00\x00\x00\x10a\x00\x01\x00\x00\x00\x00"],
        None,
    ),
    "JSON": (pa.string(), extension("arrow.json"), ["{}", '{"a": [1, null]}', "null", '"text"'], None),
    "UUID": (
        pa.binary(16),
        extension("arrow.uuid"),
        [bytes(range(16)), b"\xff" * 16],
        ["00010203-0405-0607-0809-0a0b0c0d0e0f", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
    ),
    "VARIANT": (
        variants(),
        VARIANT,
        [
            whole(INT8),
            whole(NULL),
            whole(TEXT),
            whole(b"\x02\x01\x00\x00\x02" + INT8),
            whole(b"\x03\x02\x00\x01\x03\x00" + INT8),
        ],
        ["5", None, '"hi"', '{"a":5}', "[null,5]"],
    ),
    "VARIANT of integers": (
        variants(pa.int64()),
        VARIANT,
        [typed(TEXT), typed(None, 1 << 40), typed(None, -7), typed(NULL)],
        ['"hi"', str(1 << 40), "-7", None],
    ),
    "VARIANT of lists": (
        variants(LIST),
        VARIANT,
        [typed(None, [part(None, "x"), part(INT8)]), typed(None, []), typed(INT8)],
        ['["x",5]', "[]", "5"],
    ),
    "VARIANT of objects": (
        variants(OBJECT),
        VARIANT,
        [
            typed(None, {"a": part(None, 1), "bc": part(None, "y")}),
            typed(None, {"a": part(TEXT), "bc": part()}),
            typed(TEXT),
            typed(None, {"a": part(), "bc": part()}),
        ],
        ['{"a":1,"bc":"y"}', '{"a":"hi"}', '"hi"', "{}"],
    ),
    "GEOMETRY": (pa.binary(), extension("geoarrow.wkb"), SHAPES, None),
    "GEOMETRY with a system": (pa.large_binary(), extension("geoarrow.wkb", '{"crs": "EPSG:3857"}'), SHAPES, None),
    "GEOMETRY in views": (
        pa.binary_view(),
        extension("geoarrow.wkb", '{"crs": {"id": {"authority": "OGC", "code": "CRS84"}}}'),
        SHAPES,
        None,
    ),
    "GEOGRAPHY": (pa.binary(), extension("geoarrow.wkb", '{"edges": "spherical"}'), SHAPES, None),
    "GEOGRAPHY of points": (
        pa.binary(),
        extension("geoarrow.wkb", '{"edges": "karney", "crs": "OGC:CRS83"}'),
        [SHAPES[0], SHAPES[4]],
        None,
    ),
}

# Of the kinds with geospatial statistics: the types of the shapes, and their box if there is one, x, y and z each.
BOX = (-3.5, 5.0, 0.0, 6.0, 3.0, 3.0)
SHAPE_STATISTICS = {
    "GEOMETRY": ([1, 2, 3, 7, 1001], BOX),
    "GEOMETRY with a system": ([1, 2, 3, 7, 1001], BOX),
    "GEOMETRY in views": ([1, 2, 3, 7, 1001], BOX),
    "GEOGRAPHY": ([1, 2, 3, 7, 1001], (None,) * 6),
    "GEOGRAPHY of points": ([1, 7], (1.0, 5.0, 2.0, 6.0, None, None)),
}

RECORDS = 200


def schema(kind):
    """A column of the kind by itself, in lists, in run ends and in a dictionary, and one of numbers.

    The metadata of run ends and dictionaries is the field's, where the server's Arrow library does not know the
    extension. Where it does, the values of run ends have it, and there are no dictionaries: pyarrow takes none either.
    """
    storage, metadata, _, _ = KINDS[kind]
    item = pa.field("item", storage, metadata=metadata)
    fields = [pa.field("one", storage, metadata=metadata), pa.field("list", pa.list_(item))]
    name = metadata.get("ARROW:extension:name", "")
    if name.startswith("arrow."):
        fields.append(pa.field("runs", pa.run_end_encoded(pa.int32(), sent(name)(storage))))
    else:
        fields.append(pa.field("runs", pa.run_end_encoded(pa.int32(), storage), metadata=metadata))
        fields.append(pa.field("dictionary", pa.dictionary(pa.int8(), storage), metadata=metadata))
    return pa.schema(fields + [pa.field("number", pa.int64())])


def picks(kind):
    """Which value each record has, or None."""
    count = len(KINDS[kind][2])
    return [None if record % 7 == 3 else record // 3 % count for record in range(RECORDS)]


def columns(kind, values):
    """The columns of a kind in Python's values, made of values that stand in place of those of KINDS."""
    one = [None if pick is None else values[pick] for pick in picks(kind)]
    lists = [None if record % 11 == 5 else one[record : record + record % 4] for record in range(RECORDS)]
    return {"one": one, "list": lists, "runs": one, "dictionary": one, "number": list(range(RECORDS))}


def batches(kind):
    storage, _, values, _ = KINDS[kind]
    fields = schema(kind)
    data = columns(kind, values)
    one = pa.array(data["one"], storage)
    entries = pa.array(values, storage)
    keys = pa.array(picks(kind), pa.int8())
    ends = pa.array(range(1, RECORDS + 1), pa.int32())
    inside = fields.field("runs").type.value_type
    values_of_runs = one if inside == storage else pa.ExtensionArray.from_storage(inside, one)
    made = {
        "one": one,
        "list": pa.array(data["list"], fields.field("list").type),
        "runs": pa.RunEndEncodedArray.from_arrays(ends, values_of_runs),
        "dictionary": pa.DictionaryArray.from_arrays(keys, entries),
        "number": pa.array(data["number"]),
    }
    records = pa.record_batch([made[name] for name in fields.names], schema=fields)
    yield records.slice(0, 90)
    yield records.slice(90)

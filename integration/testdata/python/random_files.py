"""Makes random tables and compares files of them, as it is told: one JSON request a line of standard input, one answer a
line.

    {"columns": true}                      the names of all columns that there are, as [FAMILY, NAME]: see kinds.py
    {"make": PATH, "fields": [[FAMILY, NAME], …], "seed": N, "batches": [N, …]}
                                           writes a table with batches of so many records as an Arrow stream
    {"check": PATH, "encrypted": …, "duckdb": …}
                                           what pyarrow, and DuckDB if it is to, show of a Parquet file of that table
                                           that is not as it was made: a list of lines
"""

import json
import sys

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import compare
import kinds
import read_features

# Columns of which a reader shows something else than the values, whatever the file's options.
LOSSY = ["decimal256(76, 20)"]


def columns():
    """All columns of the families of small tables."""
    names = {}
    for family in kinds.FAMILIES:
        for field in kinds.schema(family):
            if not any(lossy in field.name for lossy in LOSSY):
                names[field.name] = family
    return [[family, name] for name, family in names.items()]


def make(request):
    rng = np.random.default_rng(request["seed"])
    schema = pa.schema([kinds.schema(family).field(name) for family, name in request["fields"]])
    batches = []
    with pa.ipc.new_stream(request["make"], schema) as stream:
        for records in request["batches"]:
            before, after = (int(n) for n in rng.integers(0, 70, size=2))
            arrays = [kinds.column(rng, field, before + records + after) for field in schema]
            batches.append(pa.record_batch(arrays, schema=schema).slice(before, records))
            stream.write_batch(batches[-1])
    return pa.Table.from_batches(batches, schema)


def check(request, put):
    path = request["check"]
    keys = read_features.kms_properties() if request["encrypted"] else None
    try:
        shown = pq.read_table(path, decryption_properties=keys, page_checksum_verification=True)
        lines = compare.differences(put, shown, "pyarrow")
        if request["duckdb"]:
            connection = duckdb.connect()
            connection.sql("set timezone = 'UTC'")
            lines += compare.differences(put, connection.read_parquet(path).to_arrow_table(), "duckdb")
    except (pa.ArrowException, duckdb.Error, OSError) as error:
        return [f"{type(error).__name__}: {error}"]
    return lines


def main():
    put = None
    for line in sys.stdin:
        request = json.loads(line)
        if "make" in request:
            put, reply = compare.Put(make(request)), []
        elif "check" in request:
            reply = check(request, put)
        else:
            reply = columns()
        print(json.dumps(reply), flush=True)


main()

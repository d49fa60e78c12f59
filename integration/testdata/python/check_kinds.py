"""Says where what readers show of puts differs from the table that was put: check_kinds.py FAMILY SEED [OBJECT GO]...

OBJECT is a put's Parquet file, read here by pyarrow and DuckDB; GO is an Arrow stream of what arrow-go read from it.
"""

import sys

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

import compare
import kinds


def by_pyarrow(path):
    return pq.read_table(path)


def by_duckdb(path):
    connection = duckdb.connect()
    connection.sql("set timezone = 'UTC'")
    return connection.read_parquet(path).to_arrow_table()


def by_go(path):
    return pa.ipc.open_stream(path).read_all()


def main():
    family, seed, *paths = sys.argv[1:]
    put = compare.Put(pa.Table.from_batches(list(kinds.batches(family, int(seed)))))
    for path, from_go in zip(paths[::2], paths[1::2]):
        readings = {"pyarrow": by_pyarrow(path), "duckdb": by_duckdb(path), "arrow-go": by_go(from_go)}
        for reader, table in readings.items():
            for line in compare.differences(put, table, reader):
                print(f"{path}: {line}")


main()

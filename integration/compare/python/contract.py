"""The contract of package peer, for writers in Python."""

import ctypes
import gc
import json
import sys
import time


def emit(**event):
    print(json.dumps(event), flush=True)


def _status(key):
    """A line of /proc/self/status, which has KiB, in bytes."""
    with open("/proc/self/status") as lines:
        for line in lines:
            if line.startswith(key):
                return int(line.split()[1]) << 10
    raise KeyError(key)


def _round(write, writes):
    start = time.process_time_ns()
    for _ in range(writes):
        size = write(None)
    emit(event="round", cpu_ns=time.process_time_ns() - start, writes=writes, bytes=size)


def _rounds(writer, usual):
    for line in sys.stdin:
        writes, settings = (line.split() + [usual])[:2]
        try:
            _round(writer(settings), int(writes))
        except Exception as error:  # other settings may be asked for next
            _refuse(error)


def _refuse(error):
    emit(event="error", error=f"{type(error).__name__}: {error}")


def _memory(write, trim):
    trim()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = _status("VmRSS:")
    size = write(None)
    emit(event="memory", peak_bytes=_status("VmHWM:") - before, bytes=size)


def run(version, load, trim):
    """Runs a writer. load(stream) returns the number of records and writer(settings), which returns write(path or None),
    which returns the bytes written; trim gives free memory back."""
    settings, stream, task, *file = sys.argv[1:]
    try:
        records, writer = load(stream)
        gc.collect()
        gc.freeze()
        write = writer(settings) if task != "time" else None
        emit(event="ready", version=version, records=records)
        if task == "time":
            _rounds(writer, settings)
        elif task == "memory":
            _memory(write, trim)
        else:
            write(*file)
    except Exception as error:  # whatever the writer raises is its answer
        _refuse(error)
        sys.exit(1)

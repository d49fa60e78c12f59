"""Writes shapes that no suite has as Arrow streams: unlisted.py DIRECTORY SHAPE... In 16 batches, from fixed seeds."""

import os
import sys

import numpy as np
import pyarrow as pa

RECORDS, BATCHES = 1 << 20, 16


def nullable(rng, values, share, kind=None):
    return pa.array(values, kind, mask=rng.random(len(values)) < share)


def zipf(rng, n, entries):
    """n numbers below entries, of which the small ones come often."""
    return np.minimum((entries + 1) ** rng.random(n) - 1, entries - 1).astype(np.int64)


def texts(rng, n, shortest, longest):
    letters = rng.integers(97, 123, n * longest, np.uint8).tobytes().decode()
    return [letters[i * longest : i * longest + k] for i, k in enumerate(rng.integers(shortest, longest + 1, n))]


def events(rng):
    """A clock that goes on by what lies between two events, a counter, and a measurement of two decimals."""
    clock = 1_700_000_000_000_000 + np.cumsum(rng.integers(0, 2000, RECORDS))
    return dict(
        time=pa.array(clock, pa.timestamp("us", "UTC")),
        sequence=pa.array(np.arange(RECORDS) + 10**9),
        celsius=nullable(rng, np.round(20 + np.cumsum(rng.normal(0, 0.05, RECORDS)), 2), 0.02),
    )


def small_ints(rng):
    kinds = dict(a=np.int8, b=np.uint8, c=np.int16, d=np.uint16)
    ranges = {name: np.iinfo(kind) for name, kind in kinds.items()}
    return {n: nullable(rng, rng.integers(r.min, r.max, RECORDS, kinds[n]), 0.10) for n, r in ranges.items()}


def uuid_texts(rng):
    digits = rng.bytes(RECORDS * 16).hex()
    rows = (digits[i : i + 32] for i in range(0, len(digits), 32))
    return dict(id=pa.array([f"{d[:8]}-{d[8:12]}-{d[12:16]}-{d[16:20]}-{d[20:]}" for d in rows]))


def words(rng):
    """Of 50,000 words, some of which come often."""
    vocabulary = np.array(texts(rng, 50_000, 2, 14))
    return dict(word=nullable(rng, vocabulary[zipf(rng, RECORDS, 50_000)], 0.05))


def urls(rng):
    hosts = np.array([f"https://{host}.example.com/" for host in texts(rng, 200, 4, 12)])
    return dict(url=pa.array([h + t for h, t in zip(hosts[zipf(rng, RECORDS, 200)], texts(rng, RECORDS, 8, 60))]))


def short_keys(rng):
    """A dictionary with short keys, another one in each batch."""
    chunks = []
    for _ in range(BATCHES):
        keys = nullable(rng, zipf(rng, RECORDS // BATCHES, 3000), 0.05, pa.int16())
        chunks.append(pa.DictionaryArray.from_arrays(keys, pa.array(texts(rng, 3000, 4, 24))))
    return dict(key=pa.chunked_array(chunks))


def vectors(rng):
    values = pa.array(rng.normal(size=RECORDS * 8).astype(np.float32))
    return dict(embedding=pa.FixedSizeListArray.from_arrays(values, 128))


def blocks_of_nulls(rng):
    """Numbers that are there or not for some hundred records."""
    absent = np.repeat(rng.random(RECORDS // 256) < 0.5, 256)
    return dict(x=pa.array(rng.random(RECORDS), mask=absent), y=pa.array(rng.integers(0, 100, RECORDS), mask=absent))


def log_lines(rng):
    levels = pa.array(np.array(["DEBUG", "INFO", "WARN", "ERROR"])[zipf(rng, RECORDS, 4)])
    codes = nullable(rng, zipf(rng, RECORDS, 600), 0.7, pa.int32())
    messages = pa.array([f"request {t} took {n} ms" for t, n in zip(texts(rng, RECORDS, 8, 8), zipf(rng, RECORDS, 9999))])
    return dict(line=pa.StructArray.from_arrays([levels, codes, messages], ["level", "code", "message"]))


def tags(rng):
    """Lists of up to three of 500 words."""
    offsets = np.concatenate([[0], np.cumsum(rng.integers(0, 4, RECORDS))]).astype(np.int32)
    vocabulary = np.array(texts(rng, 500, 3, 10))
    return dict(tags=pa.ListArray.from_arrays(offsets, pa.array(vocabulary[zipf(rng, offsets[-1], 500)])))


def runs(rng, longest, values):
    lengths = rng.integers(1, longest + 1, RECORDS)
    ends = np.cumsum(lengths)
    ends = np.append(ends[ends < RECORDS], RECORDS).astype(np.int32)
    return dict(x=pa.RunEndEncodedArray.from_arrays(pa.array(ends), values(len(ends))))


SHAPES = dict(
    events=events,
    small_ints=small_ints,
    uuid_texts=uuid_texts,
    words=words,
    urls=urls,
    short_keys=short_keys,
    vectors=vectors,
    blocks_of_nulls=blocks_of_nulls,
    log_lines=log_lines,
    tags=tags,
    int64_ree_of_three=lambda rng: runs(rng, 5, lambda n: nullable(rng, rng.integers(0, 10**12, n), 0.05)),
    utf8_ree_of_thousands=lambda rng: runs(rng, 10_000, lambda n: pa.array(texts(rng, n, 10, 40))),
)


def write(directory, name):
    table = pa.table(SHAPES[name](np.random.default_rng(sum(name.encode()))))
    partial = os.path.join(directory, name + ".partial")
    step = -(-table.num_rows // BATCHES)
    with pa.OSFile(partial, "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        for at in range(0, table.num_rows, step):
            for batch in table.slice(at, step).to_batches():
                stream.write_batch(batch)
    os.replace(partial, os.path.join(directory, name + ".arrows"))


if __name__ == "__main__":
    for each in sys.argv[2:]:
        write(sys.argv[1], each)
        print(each, flush=True)

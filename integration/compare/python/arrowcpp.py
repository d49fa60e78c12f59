"""Arrow C++ as a peer: pyarrow's ParquetWriter with the whole stream as one table. It writes a row group at each call,
so it cannot take batch after batch."""

import pyarrow as pa
import pyarrow.parquet as pq

import contract

ROW_GROUP = 1 << 20

DEFAULT = dict(
    compression="none",
    data_page_version="1.0",
    use_dictionary=True,
    dictionary_pagesize_limit=1 << 20,
    data_page_size=1 << 20,
    max_rows_per_page=20_000,
    write_statistics=True,
    write_page_index=True,
    store_schema=True,
)

ZSTD = dict(compression="zstd", compression_level=1)
V2 = dict(data_page_version="2.0")
SETTINGS = {
    "default": {},
    "v2": V2,
    "zstd": ZSTD,
    "zstd-v2": ZSTD | V2,
    "bloom": {},
    "cdc": dict(use_content_defined_chunking=True),
    "plain": dict(use_dictionary=False),
    "delta": dict(use_dictionary=False),
}


def leaves(schema):
    """The paths of the leaves, and of those that may have a Bloom filter."""
    sink = pa.BufferOutputStream()
    pq.write_table(schema.empty_table(), sink)
    columns = pq.ParquetFile(sink.getvalue()).schema
    paths = [columns.column(i).path for i in range(len(columns))]
    return paths, [p for i, p in enumerate(paths) if columns.column(i).physical_type != "BOOLEAN"]


def options(schema, settings):
    if settings not in SETTINGS:
        raise NotImplementedError(f"pyarrow cannot write with settings {settings!r}")
    chosen = DEFAULT | SETTINGS[settings]
    if settings == "bloom":
        chosen["bloom_filter_options"] = {path: dict(ndv=ROW_GROUP, fpp=0.05) for path in leaves(schema)[1]}
    elif settings == "delta":
        chosen["column_encoding"] = {path: "DELTA_BYTE_ARRAY" for path in leaves(schema)[0]}
    return chosen


def load(stream):
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    with pa.OSFile(stream) as file:
        table = pa.ipc.open_stream(file).read_all()

    def writer(settings):
        chosen = options(table.schema, settings)

        def write(path):
            sink = pa.OSFile(path, "wb") if path else pa.MockOutputStream()
            with pq.ParquetWriter(sink, table.schema, **chosen) as out:
                out.write_table(table, row_group_size=ROW_GROUP)
            size = sink.tell() if path else sink.size()
            sink.close()
            return size

        return write

    return table.num_rows, writer


if __name__ == "__main__":
    contract.run(pa.__version__, load, lambda: pa.default_memory_pool().release_unused())

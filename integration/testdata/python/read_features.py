"""Reads files with pyarrow, DuckDB and Polars, and compares what they show with what was written.

Each line of standard input is a request, and is answered by a line: an object with what came of each reader, "" if it
showed what was written. A request has the fields

    file        a Parquet file
    want        an Arrow stream of what was written
    arrow_go    an Arrow stream of what arrow-go read, compared as well
    keys        of an encrypted file: {"footer": KEY, "columns": {PATH: KEY}}, keys in base64
    ask         what the file is asked beside: see the functions below
"""

import base64
import json
import sys
import uuid

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe

import compare
import layouts


class Kms(pe.KmsClient):
    """A KMS that keeps no secret: a wrapped key is the key in base64."""

    def wrap_key(self, key_bytes, master_key_identifier):
        raise NotImplementedError

    def unwrap_key(self, wrapped_key, master_key_identifier):
        return base64.b64decode(wrapped_key)


def kms_properties():
    factory = pe.CryptoFactory(lambda connection: Kms())
    return factory.file_decryption_properties(pe.KmsConnectionConfig(), pe.DecryptionConfiguration())


def typed(text, kind):
    """The bound that a text stands for."""
    return text if pa.types.is_string(kind) else int(text) if pa.types.is_integer(kind) else float(text)


def storage(column):
    """The column without extension types."""
    if isinstance(column.type, pa.BaseExtensionType):
        return pa.chunked_array([chunk.storage for chunk in column.chunks], column.type.storage_type)
    return column


def as_written(column, kind):
    """The column in the plain type of what was written."""
    if kind == pa.binary(16) and pa.types.is_string(column.type):  # a UUID
        values = [None if text is None else uuid.UUID(text).bytes for text in column.to_pylist()]
        column = pa.chunked_array([pa.array(values, kind)])
    return compare.to(kind, compare.plain(column))


def differences(want, got):
    """What differs between two tables, or ""."""
    if want.column_names != got.column_names:
        return f"differs: columns {got.column_names}"
    for name in want.column_names:
        column = compare.plain(storage(want[name]))
        problem = compare.difference(column, as_written(storage(got[name]), column.type), path=name)
        if problem:
            return "differs: " + problem
    return ""


class Pyarrow:
    def __init__(self, request):
        self.file, self.keys = request["file"], kms_properties() if "keys" in request else None

    def read(self, filters=None):
        return pq.read_table(self.file, decryption_properties=self.keys, page_checksum_verification=True, filters=filters)

    def between(self, name, low, high):
        return self.read((pc.field(name) >= low) & (pc.field(name) <= high))

    def field_ids(self):
        return [int(field.metadata[b"PARQUET:field_id"]) for field in pq.read_schema(self.file)]

    def sorting(self, name):
        meta = pq.ParquetFile(self.file).metadata
        groups = [meta.row_group(i) for i in range(meta.num_row_groups)]
        return all(group.column(group.sorting_columns[0].column_index).path_in_schema == name for group in groups)


class DuckDB:
    def __init__(self, request):
        self.file, self.source = request["file"], "read_parquet(?)"
        self.connection = duckdb.connect()
        self.connection.sql("set timezone = 'UTC'")
        if "keys" in request:  # it takes one key
            key = base64.b64decode(request["keys"]["footer"]).decode()
            self.connection.sql(f"pragma add_parquet_key('footer', '{key}')")
            self.source = "read_parquet(?, encryption_config = {footer_key: 'footer'})"

    def query(self, sql, *values):
        return self.connection.sql(sql, params=[self.file, *values])

    def read(self):
        return self.query(f"from {self.source}").to_arrow_table()

    def between(self, name, low, high):
        return self.query(f'from {self.source} where "{name}" between ? and ?', low, high).to_arrow_table()

    def field_ids(self):
        rows = self.query("select field_id from parquet_schema(?) where field_id is not null").fetchall()
        return [row[0] for row in rows]

    def bloom(self, name, values):
        """How many of the values the filters of all row groups exclude."""
        sql = "select bool_and(bloom_filter_excludes) from parquet_bloom_probe(?, ?, ?)"
        return sum(self.query(sql, name, value).fetchall()[0][0] for value in values)


class Polars:
    def __init__(self, request):
        self.file, self.keys = request["file"], None
        if "keys" in request:
            footer, columns = (request["keys"][name] for name in ("footer", "columns"))
            columns = {path: base64.b64decode(key) for path, key in columns.items()}
            self.keys = pl.ParquetDecryptionProperties(footer_key=base64.b64decode(footer), column_keys=columns)

    def read(self):
        return pl.read_parquet(self.file, decryption=self.keys).to_arrow()

    def between(self, name, low, high):
        return pl.scan_parquet(self.file).filter(pl.col(name).is_between(pl.lit(low), pl.lit(high))).collect().to_arrow()


def answer(reader, request, want):
    """What came of a reader."""
    problem = differences(want, reader.read())
    ask = request["ask"]
    if not problem and "between" in ask:
        name, *bounds = ask["between"]
        low, high = (typed(text, want[name].type) for text in bounds)
        rows = want.filter(pc.and_(pc.greater_equal(want[name], low), pc.less_equal(want[name], high)))
        assert 0 < len(rows) < len(want)
        problem = differences(rows, reader.between(name, low, high))
    if not problem and ask.get("field_ids") and hasattr(reader, "field_ids"):
        ids = [int(field.metadata[b"PARQUET:field_id"]) for field in want.schema]
        found = [i for i in reader.field_ids() if i in ids]
        problem = "" if found == ids else f"field ids {found}"
    if not problem and "sorting" in ask and hasattr(reader, "sorting") and not reader.sorting(ask["sorting"]):
        problem = "the order is not seen"
    if not problem and "bloom" in ask and hasattr(reader, "bloom"):
        values = want[ask["bloom"]].unique().to_pylist()
        excluded = reader.bloom(ask["bloom"], values), reader.bloom(ask["bloom"], [value + "!" for value in values])
        if excluded[0] or excluded[1] < 0.9 * len(values):
            problem = f"Bloom filters exclude {excluded[0]} that are there, and {excluded[1]} of {len(values)} that are not"
    return problem


def attempt(make, request, want):
    try:
        return answer(make(request), request, want)
    except BaseException as error:  # Polars raises panics of its own, which are no Exception
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        return f"{type(error).__name__}: {error}"


def main():
    for line in sys.stdin:
        request = json.loads(line)
        want = pa.ipc.open_stream(request["want"]).read_all()
        found = {name: attempt(make, request, want) for name, make in
                 {"pyarrow": Pyarrow, "duckdb": DuckDB, "polars": Polars}.items()}
        if "arrow_go" in request:
            try:
                found["arrow-go"] = differences(want, pa.ipc.open_stream(request["arrow_go"]).read_all())
            except pa.ArrowException as error:
                found["arrow-go"] = f"{type(error).__name__}: {error}"
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()

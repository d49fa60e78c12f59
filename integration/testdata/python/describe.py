"""Describes Parquet files as pyarrow sees them: describe.py KEYS FILE...

KEYS is a JSON object of master keys in base64, by their names. Prints a JSON object a line for each file: what its
metadata says, and a digest of its rows in which a timestamp counts as the same in every unit. A file that cannot be
read without keys, and one that can, is told by "readable".
"""

import base64
import hashlib
import json
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


class KmsClient(pe.KmsClient):
    """Has the master keys, as a KMS would, and unwraps data keys with them."""

    def __init__(self, config):
        pe.KmsClient.__init__(self)
        self.keys = {name: base64.b64decode(key) for name, key in config.custom_kms_conf.items()}

    def wrap_key(self, key, master):
        raise NotImplementedError

    def unwrap_key(self, wrapped, master):
        sealed = base64.b64decode(wrapped)
        return AESGCM(self.keys[master]).decrypt(sealed[:12], sealed[12:], master.encode())


def decryption(keys):
    if not keys:
        return None
    factory = pe.CryptoFactory(KmsClient)
    return factory.file_decryption_properties(pe.KmsConnectionConfig(custom_kms_conf=keys))


def describe(path, keys):
    file = pq.ParquetFile(path, decryption_properties=decryption(keys))
    m = file.metadata
    metadata = {k.decode(): v.decode() for k, v in (m.metadata or {}).items()}
    return {
        "types": {field.name: str(field.type) for field in file.schema_arrow},
        "has_arrow_schema": metadata.pop("ARROW:schema", None) is not None,
        "metadata": metadata,
        "version": m.format_version,
        "columns": {c.path: column(c) for c in (m.schema.column(i) for i in range(m.num_columns))},
        "row_groups": [row_group(m, m.row_group(i)) for i in range(m.num_row_groups)],
        "digest": digest(pq.read_table(path, decryption_properties=decryption(keys))),
        "readable": readable(path),
    }


def column(c):
    return {"physical": c.physical_type, "length": c.length, "logical": str(c.logical_type)}


def row_group(m, g):
    chunks = {g.column(i).path_in_schema: chunk(g.column(i)) for i in range(g.num_columns)}
    sorting = [[m.schema.column(s.column_index).path, s.descending, s.nulls_first] for s in g.sorting_columns]
    return {"records": g.num_rows, "sorting": sorting, "chunks": chunks}


def chunk(c):
    s = c.statistics
    return {
        "compression": c.compression,
        "encodings": c.encodings,
        "bytes": c.total_compressed_size,
        "dictionary": c.has_dictionary_page,
        "column_index": c.has_column_index,
        "offset_index": c.has_offset_index,
        "bloom_bytes": c.bloom_filter_length or 0,
        "bounds": [str(s.min), str(s.max)] if s is not None and s.has_min_max else None,
        "nulls": s.null_count if s is not None and s.has_null_count else -1,
        "distinct": s.distinct_count if s is not None and s.has_distinct_count else -1,
    }


def digest(table):
    rows = hashlib.sha256()
    for name, values in zip(table.column_names, table.columns):
        if pa.types.is_timestamp(values.type):
            values = values.cast(pa.timestamp("ns", values.type.tz)).cast(pa.int64())
        rows.update(json.dumps([name, [str(v) for v in values.to_pylist()]]).encode())
    return rows.hexdigest()


def readable(path):
    """The columns that can be read without a key."""
    try:
        names = pq.read_schema(path).names
    except OSError:
        return []
    return [name for name in names if can_read(path, name)]


def can_read(path, name):
    try:
        pq.read_table(path, columns=[name])
    except OSError:
        return False
    return True


for path in sys.argv[2:]:
    print(json.dumps(describe(path, json.loads(sys.argv[1]))))

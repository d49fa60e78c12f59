"""Compares what a reader shows with what was put, under the checked-in table of how each reader shows each type."""

import csv
import pathlib

import pyarrow as pa
import pyarrow.compute as pc

TABLE = pathlib.Path(__file__).parent.parent / "readers.csv"


def rules(reader):
    """The reader's column of the table: the name of a type that was put, to the name of the type that it shows."""
    with TABLE.open(newline="") as file:
        lines = csv.DictReader(line for line in file if not line.startswith("#"))
        return {line["type"]: line[reader] for line in lines}


def shown(kind, rules):
    """The type as which a column of this type is read. A type that the table lacks is an error, not a pass."""
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(f.name, shown(f.type, rules)) for f in kind])
    if pa.types.is_map(kind):
        return pa.map_(shown(kind.key_type, rules), shown(kind.item_type, rules))
    if pa.types.is_large_list(kind):
        value = shown(kind.value_type, rules)
        return {"list": pa.list_(value), "large_list": pa.large_list(value)}[rules["large_list"]]
    if pa.types.is_fixed_size_list(kind):
        value = shown(kind.value_type, rules)
        return {"list": pa.list_(value), "fixed_size_list": pa.list_(value, kind.list_size)}[rules["fixed_size_list"]]
    if pa.types.is_list(kind):
        return pa.list_(shown(kind.value_type, rules))
    if pa.types.is_dictionary(kind):
        return shown_dictionary(kind, rules)
    return parse(rules[str(kind)])


def shown_dictionary(kind, rules):
    """The rule is "plain", or the name of an index type that all dictionaries of these values get."""
    index = rules[f"dictionary<{kind.value_type}>"]
    value = shown(kind.value_type, rules)
    return value if index == "plain" else pa.dictionary(parse(index), value)


def parse(name):
    """The type of the given name, as str() of a pyarrow type prints it."""
    names = {"halffloat": "float16", "float": "float32", "double": "float64", "date32[day]": "date32", "date64[ms]": "date64"}
    head, _, rest = name.partition("[" if "[" in name else "(")
    if name in names:
        return getattr(pa, names[name])()
    if head in ("timestamp", "duration", "time32", "time64"):
        unit, _, zone = rest.removesuffix("]").partition(", tz=")
        return pa.timestamp(unit, zone or None) if head == "timestamp" else getattr(pa, head)(unit)
    if head.startswith("decimal"):
        precision, scale = rest.removesuffix(")").split(",")
        return getattr(pa, head)(int(precision), int(scale))
    if head == "fixed_size_binary":
        return pa.binary(int(rest.removesuffix("]")))
    return getattr(pa, {"bool": "bool_"}.get(name, name))()


def outline(kind):
    """The type without what readers name as they like: the fields of lists and maps, and who may be null."""
    if pa.types.is_struct(kind):
        return "struct<" + ", ".join(f"{f.name}: {outline(f.type)}" for f in kind) + ">"
    if pa.types.is_map(kind):
        return f"map<{outline(kind.key_type)}, {outline(kind.item_type)}>"
    if pa.types.is_fixed_size_list(kind):
        return f"fixed_size_list<{outline(kind.value_type)}>[{kind.list_size}]"
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return ("large_" if pa.types.is_large_list(kind) else "") + f"list<{outline(kind.value_type)}>"
    return str(kind)


def differences(put, got, reader):
    """One line for each column of the table got that is not the column that was put, as this reader shows it."""
    table = rules(reader)
    if put.column_names != got.column_names:
        return [f"{reader}: columns are {got.column_names}, not {put.column_names}"]
    lines = []
    for name in put.column_names:
        want, have = put[name].combine_chunks(), got[name].combine_chunks()
        kind = shown(want.type, table)
        if outline(kind) != outline(have.type):
            lines.append(f"{reader}: column {name} is shown as {outline(have.type)}, not as {outline(kind)}")
            continue
        problem = difference(convert(want, kind), have)
        if problem:
            lines.append(f"{reader}: column {name}: {problem}")
    return lines


def convert(array, kind):
    return array if array.type == kind else array.cast(kind, safe=False)


def difference(want, have, path="value"):
    """Where two arrays of one outline differ, or None. Floats are compared by their bits."""
    if pa.types.is_dictionary(want.type):
        return difference(want.dictionary_decode(), have.dictionary_decode(), path)
    if len(want) != len(have):
        return f"{len(have)} of {path}, not {len(want)}"
    if not want.is_valid().equals(have.is_valid()):
        return first(want.is_valid(), have.is_valid(), f"is_valid({path})")
    if pa.types.is_struct(want.type):
        fields = zip(want.type, want.flatten(), have.flatten())
        return next(filter(None, (difference(w, h, f"{path}.{f.name}") for f, w, h in fields)), None)
    if pa.types.is_nested(want.type):
        lengths = lists(want).value_lengths(), lists(have).value_lengths()
        if not lengths[0].equals(lengths[1]):
            return first(*lengths, f"length({path})")
        return difference(lists(want).flatten(), lists(have).flatten(), f"{path}[]")
    want, have = bits(want), bits(have)
    return None if want.equals(have) else first(want, have, path)


def lists(array):
    """The array as a list array: a map is a list of its entries."""
    if pa.types.is_map(array.type):
        entries = pa.struct([("key", array.type.key_type), ("value", array.type.item_type)])
        return array.cast(pa.list_(entries))
    return array


def bits(array):
    if pa.types.is_floating(array.type):
        return array.view({16: pa.int16(), 32: pa.int32(), 64: pa.int64()}[array.type.bit_width])
    return array


def first(want, have, path):
    for slot, (w, h) in enumerate(zip(want, have)):
        if not w.equals(h):
            return f"{path} number {slot} is {h}, not {w}"
    return f"{path} differ"

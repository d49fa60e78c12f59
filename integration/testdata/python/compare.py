"""Compares what a reader shows with what was put, under the checked-in table of how each reader shows each type."""

import csv
import pathlib

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

# The end of a rule for values that a reader rounds, to either neighbour.
NEAR = " within 1 ulp"
TABLE = pathlib.Path(__file__).parent.parent / "readers.csv"


def rules(reader):
    """The reader's column of the table: the name of a type that was put, to the name of the type that it shows."""
    with TABLE.open(newline="") as file:
        lines = csv.DictReader(line for line in file if not line.startswith("#"))
        return {line["type"]: line[reader] for line in lines}


def shown(kind, rules):
    """The type as which a column of this type is read. A type that the table lacks is an error, not a pass."""
    return with_leaves(kind, lambda leaf: shown_leaf(leaf, rules), rules)


def with_leaves(kind, change, lists):
    """The type with its leaf types changed, and its kinds of lists, which go by their names, and without run ends."""
    if pa.types.is_run_end_encoded(kind):
        return with_leaves(kind.value_type, change, lists)
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(f.name, with_leaves(f.type, change, lists)) for f in kind])
    if pa.types.is_map(kind):
        return pa.map_(with_leaves(kind.key_type, change, lists), with_leaves(kind.item_type, change, lists))
    if not pa.types.is_nested(kind) or pa.types.is_dictionary(kind):
        return change(kind)
    value = with_leaves(kind.value_type, change, lists)
    name = "large_list" if pa.types.is_large_list(kind) else "list"
    if pa.types.is_fixed_size_list(kind):
        if lists["fixed_size_list"] == "fixed_size_list":
            return pa.list_(value, kind.list_size)
        name = "list"
    return {"list": pa.list_, "large_list": pa.large_list}[lists.get(name, name)](value)


def shown_leaf(kind, rules):
    if not pa.types.is_dictionary(kind):
        return parse(rules[str(kind)].removesuffix(NEAR))
    rule = rules[f"dictionary<{kind.value_type}>"]
    if rule == "plain":
        return shown_leaf(kind.value_type, rules)
    if rule.startswith("dictionary"):
        return pa.dictionary(kind.index_type, parse(rule.partition(" of ")[2] or rules[str(kind.value_type)]))
    return parse(rule)


def decoded(kind):
    """The type without dictionaries and run ends."""
    return with_leaves(kind, lambda leaf: getattr(leaf, "value_type", leaf), {"fixed_size_list": "fixed_size_list"})


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
    put = put.drop_columns([name for name in put.column_names if table.get(leaf_name(name)) == "unreadable"])
    if put.column_names != got.column_names:
        return [f"{reader}: columns are {got.column_names}, not {put.column_names}"]
    lines = []
    for name in put.column_names:
        kind = shown(put[name].type, table)
        if outline(kind) != outline(got[name].type):
            lines.append(f"{reader}: column {name} is shown as {outline(got[name].type)}, not as {outline(kind)}")
            continue
        near = table.get(leaf_name(name), "").endswith(NEAR)
        problem = difference(plain(put[name], kind), plain(got[name], kind), near)
        if problem:
            lines.append(f"{reader}: column {name}: {problem}")
    return lines


def leaf_name(column):
    """The type in the name of a column: see kinds.schema."""
    return column.partition(":")[2]


def plain(column, kind):
    """The column as one array of this type, its dictionaries and run ends decoded."""
    kind = decoded(kind)
    # Chunk by chunk, as dictionaries that hold a null cannot be merged.
    return pa.chunked_array([without_runs(chunk).cast(kind, safe=False) for chunk in column.chunks], kind).combine_chunks()


def without_runs(array):
    """The array with run ends decoded at every level, which no cast of pyarrow does."""
    kind = array.type
    if pa.types.is_run_end_encoded(kind):
        slots = np.arange(array.offset, array.offset + len(array))
        return without_runs(array.values).take(pa.array(np.searchsorted(array.run_ends.to_numpy(), slots, side="right")))
    if pa.types.is_dictionary(kind) or not has_runs(kind):
        return array
    absent = array.is_null()
    if pa.types.is_struct(kind):
        children = [without_runs(array.field(i)) for i in range(kind.num_fields)]
        fields = [field.with_type(child.type) for field, child in zip(kind, children)]
        return pa.StructArray.from_arrays(children, fields=fields, mask=absent)
    if pa.types.is_fixed_size_list(kind):
        values = array.values.slice(array.offset * kind.list_size, len(array) * kind.list_size)
        return pa.FixedSizeListArray.from_arrays(without_runs(values), kind.list_size, mask=absent)
    offsets = pa.array(array.offsets.to_numpy(), array.offsets.type)  # a mask does not go with a slice of offsets
    if pa.types.is_map(kind):
        return pa.MapArray.from_arrays(offsets, without_runs(array.keys), without_runs(array.items), mask=absent)
    kind_of_list = pa.LargeListArray if pa.types.is_large_list(kind) else pa.ListArray
    return kind_of_list.from_arrays(offsets, without_runs(array.values), mask=absent)


def has_runs(kind):
    if pa.types.is_run_end_encoded(kind):
        return True
    return any(has_runs(kind.field(i).type) for i in range(kind.num_fields))


def difference(want, have, near=False, path="value"):
    """Where two arrays of one outline without dictionaries differ, or None. Floats are compared by their bits, or, near
    one another, as neighbours."""
    if len(want) != len(have):
        return f"{len(have)} of {path}, not {len(want)}"
    if not want.is_valid().equals(have.is_valid()):
        return first(want.is_valid(), have.is_valid(), f"is_valid({path})")
    if pa.types.is_struct(want.type):
        fields = zip(want.type, want.flatten(), have.flatten())
        return next(filter(None, (difference(w, h, near, f"{path}.{f.name}") for f, w, h in fields)), None)
    if pa.types.is_nested(want.type):
        lengths = lists(want).value_lengths(), lists(have).value_lengths()
        if not lengths[0].equals(lengths[1]):
            return first(*lengths, f"length({path})")
        return difference(lists(want).flatten(), lists(have).flatten(), near, f"{path}[]")
    if bits(want).equals(bits(have)) or near and neighbours(want, have):
        return None
    return first(bits(want), bits(have), path)


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


def neighbours(want, have):
    """Whether each double is the other one, or the next one to it."""
    if not pa.types.is_float64(want.type):
        return False
    apart = pc.abs(pc.subtract(bits(want), bits(have)))
    return pc.all(pc.less_equal(apart, 1)).as_py() is not False  # null when there are no values


def first(want, have, path):
    for slot, (w, h) in enumerate(zip(want, have)):
        if not w.equals(h):
            return f"{path} number {slot} is {h}, not {w}"
    return f"{path} differ"

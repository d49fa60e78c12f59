"""Compares what a reader shows with what was put, under the checked-in table of how each reader shows each type."""

import csv
import pathlib

import pyarrow as pa
import pyarrow.compute as pc

import layouts

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
    while pa.types.is_run_end_encoded(kind):
        kind = kind.value_type
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(f.name, shown(f.type, rules)) for f in kind])
    if pa.types.is_map(kind):
        return pa.map_(shown(kind.key_type, rules), shown(kind.item_type, rules))
    if pa.types.is_dictionary(kind):
        return shown_dictionary(kind, rules)
    name = layouts.list_name(kind)
    if name is None:
        return parse(rules[str(kind)].removesuffix(NEAR))
    value = shown(kind.value_type, rules)
    name = rules.get(name, name)
    return pa.list_(value, kind.list_size) if name == "fixed_size_list" else layouts.LISTS[name](value)


def shown_dictionary(kind, rules):
    value = kind.value_type
    if pa.types.is_nested(value) or pa.types.is_run_end_encoded(value):
        return shown(value, rules)
    rule = rules[f"dictionary<{value}>"]
    if rule == "plain":
        return shown(value, rules)
    if rule.startswith("dictionary"):
        return pa.dictionary(kind.index_type, parse(rule.partition(" of ")[2] or rules[str(value)]))
    return parse(rule)


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
    name = layouts.list_name(kind)
    if name is None:
        return str(kind)
    size = f"[{kind.list_size}]" if name == "fixed_size_list" else ""
    return f"{name}<{outline(kind.value_type)}>{size}"


def differences(put, got, reader):
    """One line for each column of the table got that is not the column that was put, as this reader shows it."""
    table = rules(reader)
    names = [name for name in put.names if table.get(leaf_name(name)) != "unreadable"]
    if names != got.column_names:
        return [f"{reader}: columns are {got.column_names}, not {names}"]
    lines = []
    for name in names:
        kind = shown(put.types[name], table)
        if outline(kind) != outline(got[name].type):
            lines.append(f"{reader}: column {name} is shown as {outline(got[name].type)}, not as {outline(kind)}")
            continue
        near = table.get(leaf_name(name), "").endswith(NEAR)
        pair = (to(layouts.plain(kind), column) for column in (put.columns[name], plain(got[name])))
        problem = difference(*pair, near)
        if problem:
            lines.append(f"{reader}: column {name}: {problem}")
    return lines


class Put:
    """A table that was put, with its columns made plain, as each reader needs them."""

    def __init__(self, table):
        self.names = table.column_names
        self.types = {field.name: field.type for field in table.schema}
        self.columns = {name: plain(table[name]) for name in self.names}


def leaf_name(column):
    """The type in the name of a column: see kinds.schema."""
    return column.partition(":")[2]


def plain(column):
    """The column as one plain array: see layouts."""
    if not column.num_chunks:
        return pa.array([], layouts.plain(column.type))
    # Chunk by chunk, as dictionaries that hold a null cannot be merged.
    return pa.chunked_array([layouts.plain_array(chunk) for chunk in column.chunks]).combine_chunks()


def to(kind, array):
    """The plain array as one of this type. A cast to its own would give lists of nulls too few elements."""
    return array if array.type == kind else array.cast(kind, safe=False)


def difference(want, have, near=False, path="value"):
    """Where two plain arrays of one outline differ, or None. Floats are compared by their bits, or, near
    one another, as neighbours."""
    if len(want) != len(have):
        return f"{len(have)} of {path}, not {len(want)}"
    if not want.is_valid().equals(have.is_valid()):
        return first(want.is_valid(), have.is_valid(), f"is_valid({path})")
    if pa.types.is_struct(want.type):
        fields = zip(want.type, want.flatten(), have.flatten())
        return next(filter(None, (difference(w, h, near, f"{path}.{f.name}") for f, w, h in fields)), None)
    if pa.types.is_nested(want.type):
        lengths = want.value_lengths(), have.value_lengths()
        if not lengths[0].equals(lengths[1]):
            return first(*lengths, f"length({path})")
        return difference(want.flatten(), have.flatten(), near, f"{path}[]")
    if bits(want).equals(bits(have)) or near and neighbours(want, have):
        return None
    return first(bits(want), bits(have), path)


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

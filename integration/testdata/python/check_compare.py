"""Shows that the comparison sees every change: one leaf value is changed in each column of a family, in turn.

Prints one line for each change that it misses, then how many it saw.
"""

import datetime
import decimal
import sys

import pyarrow as pa

import compare
import kinds


def changed(value, kind):
    """The value with one leaf changed, or None when it holds none."""
    if value is None:
        return None
    if pa.types.is_struct(kind):
        for field in kind:
            other = changed(value[field.name], field.type)
            if other is not None:
                return {**value, field.name: other}
        return None
    if pa.types.is_map(kind):
        return changed_entry(value, lambda entry: (entry[0], changed(entry[1], kind.item_type)), lambda new: new[1])
    if pa.types.is_nested(kind):
        return changed_entry(value, lambda item: changed(item, kind.value_type), lambda new: new)
    return other_value(value, kind)


def changed_entry(values, change, whether):
    for i, value in enumerate(values):
        other = change(value)
        if whether(other) is not None:
            return [*values[:i], other, *values[i + 1 :]]
    return None


def other_value(value, kind):
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return 1 if value != 1 else 2
    if isinstance(value, decimal.Decimal):
        one = decimal.Decimal(1).scaleb(-kind.scale)
        return one if value != one else -one
    if isinstance(value, str):
        return value + "!"
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:] if value else b"!"
    if isinstance(value, datetime.timedelta):
        return datetime.timedelta(0) if value else datetime.timedelta(seconds=1)
    if isinstance(value, datetime.time):
        return value.replace(second=value.second ^ 1)
    return value.replace(day=2 if value.day == 1 else 1)  # dates and timestamps


def main():
    table = pa.Table.from_batches(list(kinds.batches(sys.argv[1], int(sys.argv[2]))))
    saw = 0
    for field, column in zip(table.schema, table.columns):
        if field.name.startswith(kinds.ABSENT):
            continue
        kind = compare.decoded(field.type)
        values = compare.plain(column, kind).to_pylist()
        want = pa.array(values, kind)
        slot, other = next((i, o) for i, o in enumerate(changed(v, kind) for v in values) if o is not None)
        values[slot] = other
        if compare.difference(want, want) is not None:
            print(f"{field.name}: differs from itself")
        elif compare.difference(want, pa.array(values, kind)) is None:
            print(f"{field.name}: record {slot} changed and nothing was seen")
        else:
            saw += 1
    print("saw", saw)


main()

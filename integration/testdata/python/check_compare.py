"""Shows that the comparison sees every change: check_compare.py FAMILY changes a leaf value in each column, in turn.

Prints one line for each change that it misses, then how many it saw.
"""

import datetime
import decimal
import sys

import pyarrow as pa

import compare
import kinds
import layouts


def changed(value, kind):
    """The value with one leaf changed, or None when it holds none."""
    if value is None:
        return None
    if pa.types.is_struct(kind):
        for field in reversed(list(kind)):  # the value of a map's entry before its key
            other = changed(value[field.name], field.type)
            if other is not None:
                return {**value, field.name: other}
        return None
    if not pa.types.is_nested(kind):
        return other_value(value, kind)
    for i, item in enumerate(value):
        other = changed(item, kind.value_type)
        if other is not None:
            return [*value[:i], other, *value[i + 1 :]]
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


def sees_change(name, column):
    """Whether the comparison sees a change in the column, or None when it holds no value."""
    kind = layouts.plain(column.type)
    values = compare.plain(column).to_pylist()
    want = pa.array(values, kind)
    if compare.difference(want, want) is not None:
        print(f"{name}: differs from itself")
    for slot, value in enumerate(values):
        other = changed(value, kind)
        if other is not None:
            values[slot] = other
            return compare.difference(want, pa.array(values, kind)) is not None
    return None


def main():
    family = sys.argv[1]
    left = [name for name in kinds.schema(family).names if not name.startswith(kinds.ABSENT)]
    saw = 0
    for seed in range(1, 6):  # there may be no value in a column of one seed
        table = pa.Table.from_batches(list(kinds.batches(family, seed)))
        seen = {name: sees_change(name, table[name]) for name in left}
        for name in left:
            if seen[name] is False:
                print(f"{name}: a value of seed {seed} was changed and nothing was seen")
        saw += sum(seen[name] is True for name in left)
        left = [name for name in left if seen[name] is None]
        if not left:
            break
    print("saw", saw)


main()

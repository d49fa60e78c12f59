package sink

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// number returns value as a whole number from low to high.
func number[T int | int64](value any, low, high T) (T, error) {
	n, whole := wholeNumber(value)
	if !whole {
		return 0, fmt.Errorf("must be a whole number from %d to %d, not %s", low, high, describe(value))
	}
	if n < int64(low) || n > int64(high) {
		return 0, fmt.Errorf("%d is out of range; it must lie between %d and %d", n, low, high)
	}
	return T(n), nil
}

func wholeNumber(value any) (int64, bool) {
	switch n := value.(type) {
	case int:
		return int64(n), true
	case int64:
		return n, true
	case uint64:
		return int64(min(n, math.MaxInt64)), true
	case float64:
		return int64(n), n == math.Trunc(n) && math.Abs(n) < 1<<53
	case json.Number:
		if i, err := n.Int64(); err == nil {
			return i, true
		}
		f, err := n.Float64()
		return int64(f), err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53
	}
	return 0, false
}

// share returns value as a number between 0 and 1, neither of them included.
func share(value any) (float64, error) {
	f := math.NaN()
	switch n := value.(type) {
	case float64:
		f = n
	case json.Number:
		if parsed, err := n.Float64(); err == nil {
			f = parsed
		}
	}
	if !(f > 0 && f < 1) {
		return 0, fmt.Errorf("must be a number above 0 and below 1, not %s", describe(value))
	}
	return f, nil
}

// describe names a value in an error, without echoing something long.
func describe(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("the string %.40q", v)
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	}
	return fmt.Sprint(value)
}

func boolean(value any) (bool, error) {
	b, ok := value.(bool)
	if !ok {
		return false, fmt.Errorf("must be true or false, not %s", describe(value))
	}
	return b, nil
}

// text returns value as a string.
func text(value any) (string, error) {
	s, ok := value.(string)
	if !ok {
		return "", fmt.Errorf("must be a string, not %s", describe(value))
	}
	return s, nil
}

// oneOf returns value as one of the texts, whose case does not count.
func oneOf(value any, texts ...string) (string, error) {
	one, err := text(value)
	if err != nil {
		return "", err
	}
	if one = strings.ToLower(one); !slices.Contains(texts, one) {
		return "", fmt.Errorf("%.40q is not one of %s", value, quoted(texts))
	}
	return one, nil
}

func quoted(texts []string) string {
	var q []string
	for _, t := range texts {
		q = append(q, fmt.Sprintf("%q", t))
	}
	return strings.Join(q, ", ")
}

// members sets each member of an object by its name.
type members map[string]func(value any) error

func (m members) names() string { return strings.Join(slices.Sorted(maps.Keys(m)), ", ") }

// setMembers takes the members of an object in the order of their names.
func setMembers(object map[string]any, known members) error {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		set, ok := known[name]
		if !ok {
			return fmt.Errorf("%.40q: is not known; known are %s", name, known.names())
		}
		if err := set(object[name]); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
	}
	return nil
}

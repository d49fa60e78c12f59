package encode

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

var (
	of    = arrow.PrimitiveTypes
	texts = arrow.BinaryTypes
)

var (
	fixed16    = &arrow.FixedSizeBinaryType{ByteWidth: 16}
	primitives = []arrow.DataType{of.Int32, of.Int64, of.Uint32, of.Uint64, of.Float32, of.Float64, of.Date64}
	decimals   = []arrow.DataType{&arrow.Decimal32Type{Precision: 9, Scale: 2},
		&arrow.Decimal64Type{Precision: 18, Scale: 6}, decimal38, &arrow.Decimal256Type{Precision: 76, Scale: 10}}
	decimal38 = &arrow.Decimal128Type{Precision: 38, Scale: 10}
)

// onePercent is how many entries the dictionaries of a hundredth of a million records have.
const onePercent = 10_485

// datasets are the tables of the Rust writer's own benchmark.
func datasets() (all []dataset) {
	one := func(name string, make func(n int) arrow.Array) {
		all = append(all, dataset{name, func(n int) []arrow.Array { return []arrow.Array{make(n)} }})
	}
	several := func(name string, nulls float64, types ...arrow.DataType) {
		all = append(all, dataset{name, func(n int) (arrays []arrow.Array) {
			for _, dt := range types {
				arrays = append(arrays, randomArray(dt, n, nulls))
			}
			return arrays
		}})
	}
	several("primitive", 0.25, primitives...)
	several("primitive_non_null", 0, primitives...)
	several("primitive_sparse_99pct_null", 0.99, primitives...)
	several("primitive_all_null", 1, primitives...)
	several("bool", 0.25, arrow.FixedWidthTypes.Boolean)
	several("bool_non_null", 0, arrow.FixedWidthTypes.Boolean)
	several("string", 0.25, texts.String, texts.LargeString)
	several("string_non_null", 0, texts.String)
	several("string_and_binary_view", 0.25, texts.StringView, texts.BinaryView)
	several("byte_array_sparse_99pct_null", 0.99, texts.String, texts.StringView)
	several("decimal", 0, decimals...)
	several("fsb", 0.9, fixed16)
	one("short_string_non_null", func(n int) arrow.Array { return slotsOf(texts.String, n, counted("%08d", math.MaxInt)) })
	one("large_string_non_null", func(n int) arrow.Array {
		return slotsOf(texts.String, min(n/1000, 1024), func(int) any { return strings.Repeat("x", 256<<10) })
	})
	one("fixed_size_binary_non_null", func(n int) arrow.Array {
		return slotsOf(fixed16, n, func(i int) any {
			return string(binary.LittleEndian.AppendUint64(nil, uint64(i))) + "\x00\x00\x00\x00\x00\x00\x00\x00"
		})
	})
	one("decimal128_sparse", func(n int) arrow.Array {
		return slotsOf(decimal38, n, sparse(random(), 0.25, func(i int) any { return big.NewInt(int64(i)) }))
	})
	one("float_with_nans_16", func(n int) arrow.Array {
		return slotsOf(arrow.FixedWidthTypes.Float16, n, halfNaN(random(), 1))
	})
	one("float_with_nans_32", func(n int) arrow.Array { return slotsOf(of.Float32, n, halfNaN(random(), 1)) })
	all = append(all, dictionaryDatasets()...)
	all = append(all, runDatasets()...)
	all = append(all, nestedDatasets()...)
	return append(all, moreDatasets()...)
}

// dictionaryDatasets are dictionaries: of values that hardly come again, and of a hundredth that come round and round.
func dictionaryDatasets() (all []dataset) {
	add := func(name string, make func(n int) arrow.Array) {
		all = append(all, dataset{name, func(n int) []arrow.Array { return []arrow.Array{make(n)} }})
	}
	cycle := func(entries int, nulls float64) func(i int) int {
		r := random()
		return func(i int) int {
			if r.Float64() < nulls {
				return -1
			}
			return i % entries
		}
	}
	for _, c := range []struct {
		name  string
		dt    arrow.DataType
		value source
	}{
		{"primitive", of.Int32, cyclic(onePercent)},
		{"int64", of.Int64, cyclic(onePercent)},
		{"float64", of.Float64, func(i int) any { return float64(i) }},
		{"string", texts.String, counted("value_%08d", onePercent)},
		{"decimal128", decimal38, func(i int) any { return big.NewInt(int64(i)) }},
	} {
		add(c.name+"_dictionary", func(n int) arrow.Array { return pickedFrom(randomArray(c.dt, n, 0), n, cycle(n, 0.25)) })
		add(c.name+"_dictionary_1pct_cardinality", func(n int) arrow.Array {
			return pickedFrom(slotsOf(c.dt, onePercent, c.value), n, cycle(onePercent, 0.25))
		})
	}
	for _, entries := range []int{20, 100, 400} {
		add(fmt.Sprintf("string_dictionary_low_cardinality_%d", entries), func(n int) arrow.Array {
			r := random()
			words := slotsOf(texts.String, entries, func(int) any { return randomText(r, 10+r.IntN(15)) })
			return pickedFrom(words, n, cycle(entries, 0))
		})
	}
	add("bool_dictionary", func(n int) arrow.Array {
		return pickedFrom(slotsOf(arrow.FixedWidthTypes.Boolean, 2, func(i int) any { return i == 1 }), n, func(i int) int {
			if i%10 == 9 {
				return -1
			}
			return i % 2
		})
	})
	return all
}

// runDatasets are run-end-encoded.
func runDatasets() (all []dataset) {
	add := func(name string, make func(n int) arrow.Array) {
		all = append(all, dataset{name, func(n int) []arrow.Array { return []arrow.Array{make(n)} }})
	}
	every := func(name string, length int, runs func(runs int) arrow.Array) {
		add(name, func(n int) arrow.Array { return runEndsOf(runs(n/length), always(length)) })
	}
	random := func(dt arrow.DataType, nulls float64) func(n int) arrow.Array {
		return inRuns(func(n int) arrow.Array { return randomArray(dt, n, nulls) })
	}
	add("string_ree", random(texts.String, 0.1))
	add("int32_ree", random(of.Int32, 0.1))
	add("bool_ree", random(arrow.FixedWidthTypes.Boolean, 0.1))
	add("fixed_size_binary_ree", random(fixed16, 0.1))
	add("string_ree_95pct_null", random(texts.String, 0.95))
	add("int32_ree_95pct_null", random(of.Int32, 0.95))
	sixteenth := func(i int) int { return i % 16 }
	tags := func(format string) func(n int) arrow.Array {
		return func(n int) arrow.Array {
			return pickedFrom(slotsOf(texts.String, 16, counted(format, 16)), n, sixteenth)
		}
	}
	every("string_ree_of_dict", 8, tags("val_%04d"))
	every("numeric_ree_of_dict", 8, func(n int) arrow.Array {
		return pickedFrom(slotsOf(of.Int64, 16, func(i int) any { return int64(i) * 1_000_000 }), n, sixteenth)
	})
	every("ree_struct_of_dict", 8, func(n int) arrow.Array {
		return structOf(0, tags("tag_%04d")(n), slotsOf(of.Int64, n, cyclic(math.MaxInt)))
	})
	every("string_ree_low_cardinality", 256, func(n int) arrow.Array {
		return slotsOf(texts.String, n, counted("category_%02d", 16))
	})
	every("int64_ree_low_cardinality", 256, func(n int) arrow.Array { return slotsOf(of.Int64, n, cyclic(16)) })
	every("fixed_size_binary_ree_low_cardinality", 256, func(n int) arrow.Array {
		return slotsOf(fixed16, n, func(i int) any { return string(rune(i%16)) + strings.Repeat("\x00", 15) })
	})
	every("struct_ree", 256, numbersAndTexts)
	every("struct_ree_short_runs", 8, numbersAndTexts)
	element := func(i int) any { return int64(i/8%16*8 + i%8) }
	eight := func(n int) arrow.Array { return listsOf(slotsOf(of.Int32, 8*n, element), 8) }
	every("list_int32_ree", 256, eight)
	every("list_int32_ree_short_runs", 8, eight)
	every("list_string_ree", 256, func(n int) arrow.Array {
		return listsOf(slotsOf(texts.String, 4*n, func(i int) any { return fmt.Sprintf("category_%02d_%d", i/4%16, i%4) }), 4)
	})
	return append(all, runsInListsDatasets()...)
}

// runsInListsDatasets are lists and structs of runs, and runs of those.
func runsInListsDatasets() (all []dataset) {
	add := func(name string, make func(n int) arrow.Array) {
		all = append(all, dataset{name, func(n int) []arrow.Array { return []arrow.Array{make(n)} }})
	}
	runs := func(n int) arrow.Array {
		return runEndsOf(slotsOf(of.Int32, n/256, func(i int) any {
			if i%8 == 7 {
				return nil
			}
			return int64(i % 16)
		}), always(256))
	}
	alternately := func(even, odd int) func(i int) int { return func(i int) int { return even + i%2*(odd-even) } }
	fours := func(n int) arrow.Array { return listsOf(runs(n/256*256*4), 4) }
	add("list_of_int32_ree", fours)
	add("list_of_int32_ree_alt_null", func(n int) arrow.Array { return listsBy(n/256*256, alternately(4, -1), runs) })
	add("list_of_int32_ree_alt_empty", func(n int) arrow.Array { return listsBy(n/256*256, alternately(0, 4), runs) })
	add("struct_of_list_of_int32_ree_alt_null", func(n int) arrow.Array {
		return structBy(func(i int) bool { return i%2 == 1 }, fours(n))
	})
	add("struct_of_list_of_int32_ree_single_null", func(n int) arrow.Array {
		return structBy(func(i int) bool { return i == n/2 }, fours(n))
	})
	add("struct_of_list_of_int32_ree_fragmented", func(n int) arrow.Array {
		return structBy(func(i int) bool { return i == 0 || i == n/2 || i == n/256*256-1 }, fours(n))
	})
	pairs := func(n int) arrow.Array { // of lists of four that are the same 128 times in a row
		lists := listsOf(slotsOf(of.Int32, 4*n, cyclic(math.MaxInt)), 4)
		return listsOf(runEndsOf(lists, always(128)), 2)
	}
	add("list_of_list_int32_ree", func(n int) arrow.Array { return pairs(n / 64) })
	add("ree_list_ree_list", func(n int) arrow.Array { return runEndsOf(pairs(max(1, n/64/256)), always(256)) })
	return all
}

// nestedDatasets are lists and structs.
func nestedDatasets() (all []dataset) {
	add := func(name string, make func(n int) []arrow.Array) { all = append(all, dataset{name, make}) }
	elements := func(dt arrow.DataType, nulls float64) func(n int) arrow.Array {
		return func(n int) arrow.Array { return randomArray(dt, n, nulls) }
	}
	for _, c := range []struct {
		suffix string
		nulls  float64
	}{{"", 0.25}, {"_non_null", 0}, {"_sparse_99pct_null", 0.99}, {"_all_null", 1}} {
		add("list_primitive"+c.suffix, func(n int) (arrays []arrow.Array) {
			for _, dt := range []arrow.DataType{of.Int32, arrow.FixedWidthTypes.Boolean, texts.String} {
				arrays = append(arrays, listsBy(n, upToFour(c.nulls), elements(dt, c.nulls)))
			}
			return arrays
		})
		add("struct"+c.suffix, func(n int) []arrow.Array {
			of32, of64 := randomArray(of.Int32, n, 0), randomArray(of.Int64, n, 0)
			return []arrow.Array{structOf(c.nulls, of32, of64, randomArray(of.Float32, n, 0))}
		})
	}
	inner := func(n int) arrow.Array { return listsBy(n, upToFour(0.25), elements(of.Int32, 0.25)) }
	add("list_nested", func(n int) []arrow.Array { return []arrow.Array{listsBy(n, upToFour(0.25), inner)} })
	add("list_struct_with_list", func(n int) []arrow.Array {
		return []arrow.Array{listsBy(n, upToFour(0.25), func(n int) arrow.Array {
			return structOf(0.25, randomArray(of.Int32, n, 0.25), randomArray(of.Float32, n, 0.25), inner(n))
		})}
	})
	return all
}

// moreDatasets are long strings with common ends, and columns of few and of many values.
func moreDatasets() (all []dataset) {
	add := func(name string, dt arrow.DataType, value source) {
		all = append(all, dataset{name, func(n int) []arrow.Array { return []arrow.Array{slotsOf(dt, n, value)} }})
	}
	kilobyte := func(name string, value source) {
		all = append(all, dataset{name, func(n int) []arrow.Array {
			return []arrow.Array{slotsOf(texts.String, min(n/6, 8192), value)}
		}})
	}
	x := strings.Repeat("x", 1016)
	kilobyte("small_string_shared_prefix", func(i int) any { return fmt.Sprintf("%s%08d", x, i) })
	kilobyte("small_string_partial_prefix", func(i int) any { return fmt.Sprintf("%s%08d%s", x[:512], i, x[:504]) })
	kilobyte("small_string_distinct", func(i int) any { return fmt.Sprintf("%08d%s", i, x) })
	xs := strings.Repeat("x", 2<<20-8)
	large := func(name string, every int, value source) {
		all = append(all, dataset{name, func(n int) []arrow.Array {
			return []arrow.Array{slotsOf(texts.String, min(n/5000, 64), func(i int) any {
				if every > 0 && i%every == 0 {
					return nil
				}
				return value(i)
			})}
		}})
	}
	large("large_string_shared_prefix", 0, func(i int) any { return fmt.Sprintf("%s%08d", xs, i) })
	large("large_string_shared_prefix_nullable_dense", 2, func(i int) any { return fmt.Sprintf("%s%08d", xs, i) })
	large("large_string_distinct", 0, func(i int) any { return fmt.Sprintf("%08d%s", i, xs) })
	large("large_string_distinct_nullable", 16, func(i int) any { return fmt.Sprintf("%08d%s", i, xs) })
	add("int32_low_cardinality", of.Int32, cyclic(100))
	add("utf8_low_cardinality", texts.String, counted("label_%d", 100))
	add("large_binary_low_cardinality", texts.LargeBinary, counted("payload_%d", 100))
	add("int32_high_cardinality", of.Int32, func(i int) any { return int64(uint32(i%65_536) * 2_654_435_761) })
	view := func(i int) any { return randomText(rand.New(rand.NewPCG(uint64(i%65_536), 0)), 4) }
	add("utf8_view_high_cardinality", texts.StringView, view)
	r := random()
	add("sorted_times", of.Int64, func(i int) any { return 1_700_000_000_000 + int64(i)*1000 + r.Int64N(1000) })
	add("sorted_four_each", of.Int64, func(i int) any { return int64(i/16*32 + i%16/4) })
	add("prices", of.Float64, func(int) any { return math.Round(100*math.Exp(3+r.NormFloat64())) / 100 })
	add("skewed_words", texts.String, func(int) any { return fmt.Sprintf("word %d", int(math.Exp(12*r.Float64()))) })
	add("drawn_from_140k", of.Int64, func(int) any { return r.Int64N(140_000) })
	add("drawn_from_60k_texts", texts.String, func(int) any { return fmt.Sprintf("Customer#%09d", r.IntN(60_000)) })
	add("sorted_names", texts.String, counted("https://example.org/item/%09d/view", math.MaxInt))
	add("few_then_many", of.Int64, func(i int) any {
		if i < 40_000 {
			return int64(i % 10)
		}
		return int64(r.Uint64() >> 20)
	})
	return all
}

// Package levels turns Arrow arrays into what a Parquet column chunk is made of: definition levels, repetition levels
// and a selection of the values, one stream for each leaf column. It never copies or decodes a value and never makes a
// level per row: a validity bitmap is a definition-level stream of bit width 1, in the very bit order that Parquet's
// bit-packed runs use, and everything else is word operations on bitmaps.
//
// # Words
//
// A record is a top-level row. A slot is a position of an Arrow array's storage, counted from the start of its
// buffers. A level is one entry of the definition and repetition level streams (Parquet's value count counts these). A
// value is a slot that is not null, and whose parents are not null: only values reach a page.
//
// # Thresholds and planes
//
// Levels are built from thresholds. Threshold t of a leaf is the bitmap of the levels whose definition level is at
// least t; each optional or repeated ancestor adds one. Where one is set, all before it are, so the level is the number
// of thresholds that are set, and bit p of it is the exclusive or of the thresholds t that are multiples of 2^p. A
// threshold that is set everywhere has no storage. The same holds for repetition levels.
//
// A nullable struct of a nullable int32, four records {5}, {null}, null, {7}:
//
//	                          record  0 1 2 3
//	threshold 1  struct set           1 1 0 1    the struct's validity bitmap, borrowed
//	threshold 2  value set            1 0 0 1    and of the two bitmaps
//	plane 0 = t1 xor t2               0 1 0 0
//	plane 1 = t2                      1 0 0 1    definition levels 2 1 0 2, interleaved only by the page writer
//	values                            slots 0 and 3 of the int32 buffer
//
// # Lists
//
// A list opens a frame: the positions of its own repetition depth. Each position of the frame around it becomes one
// position for every element, or a single one (a hole) if it is null or empty. Three bitmaps describe that: starts
// (where each outer position begins), live (all but holes) and what was known of the outer position, deposited at its
// start. A nullable list<int32 not null>, four records [1 2 3], null, [], [4]:
//
//	            position  0 1 2 3 4 5
//	starts                1 0 0 1 1 1
//	repetition 1          0 1 1 0 0 0    the complement of starts
//	live = threshold 2    1 1 1 0 0 1
//	threshold 1           1 1 1 0 1 1    list validity at starts, 1 between them
//	definition levels     2 2 2 0 1 2
//	values                child slots 0 to 3, one run
//
// Children that are structs, leaves or lists again work on the frame as they would on records; siblings share it. Slots
// that a null list owns are simply not in the runs.
//
// # Run ends
//
// A run-end-encoded field has no levels of its own; its values have. Its node asks for each stretch of slots which runs
// they lie in, and hands its values a scope that has one entry for a run instead of one for a slot, with the number of
// slots that it stands for:
//
//	run ends    3 7 8     values   10 null 20
//	scope       entries 0 1 2, times 3 4 1          of 8 records
//	threshold 1         1 1 1 0 0 0 0 1             each entry's bit, as often as it stands
//	selected    slot 0 three times, slot 2 once     entries without a value are left out
//
// So validity is looked up, and a value is read, hashed and compared, once a run. A leaf without nulls has one level all
// over and gets one span for as many runs as fit it, whatever the number of records.
//
// # Tiles
//
// Below lists, each repetition has levels of its own. So records that are the same as the one before, because all their
// leaves lie in the same runs, are walked once, as a tile of the span with the times that it stands (alike.go), and the
// page writer repeats levels and values:
//
//	run ends    256 264      values   [1 2 3] [4]
//	span        repetition 0 1 1 0   definition 3 3 3 3   slots 0 to 3   Times 256 8
//
//	list of 2   of run ends 128 136, values 10 20: records 0 to 63 are [10 10], 64 to 67 are [20 20]
//	span        repetition 0 1 0 1   slot 0 twice, slot 1 twice           Times 64 4
//
// Where records are not the same as the one before, but as those two, three or four before, as when every second list is
// null or empty, a tile is as many records (Each), one after the other:
//
//	lists of 2, null, 2, null …   of run ends 128 136, values 10 20
//	span        repetition 0 1 0 0 1 0   definition 3 3 0 3 3 0   slots 0 0 1 1   Each 2   Times 32 2
//
// A frame takes as many tiles as its lists have room for at every depth, by a bound that needs no more than offsets and
// run ends; so tiles are whole records. Records of more levels than a span holds, tiles that do not stand three times in
// a row on average, and runs of lists within a record are walked as often as they stand.
//
// # Selections
//
// List views are lists whose elements lie anywhere: their runs do not adjoin, which nothing below minds. A dictionary of
// leaves is a leaf, and its keys are the page writer's. A dictionary of anything else has no levels of its own, as run
// ends have none: its values are walked at the slots that the keys name. What the type or the null count says to be null
// throughout is put without a look at a bitmap, at one level.
//
// # Streaming
//
// [Tree.Walk] pushes spans of at most [MaxSpanLevels] levels to a [Sink], so its memory does not depend on the batch:
// a frame holds that many positions and is refilled. A batch of which nothing has to be gathered is one frame, and one
// span a leaf: nulls alone, a leaf that is a top-level column, a struct around fields without nulls. Its levels are all
// one, or borrow the validity bitmap. A span ends where a frame does, which is between two lists unless one is longer
// than a frame. So a record goes over several spans (Continues) if it has more levels than one holds, or if its lists
// are nested and the frame of the inner ones is full: whoever cuts pages asks [Span.RecordStart] and cuts with
// [Span.Take].
//
// # Cost
//
// In nanoseconds, on one core of a quiet Xeon, for lists of 0 to 4 elements that are nullable, as the elements are, with
// 25 % nulls, and for runs of 8 with 10 %:
//
//	nullable leaf                   0.015 a record
//	field of a nullable struct      0.12 a record
//	list                            3.9  a record   2.1 a level
//	list, 99 % of them null         0.8  a record
//	list of list                    15   a record   4.5 a level
//	list of struct of 20 fields     23   a record   0.6 a level
//	runs of lists of 8              29   a run
//	runs of nullable leaves         9.9  a run
//
// A list's positions are gathered in a word, not set in memory one by one; the nulls of a sparse column are passed over
// by words. Of what is left, half is the lookup of a list's elements and the gathering, a third the deposits.
//
// # Errors, ownership, concurrency
//
// A [Tree] belongs to one goroutine at a time; the trees of different columns are independent. Nothing is kept of an
// array after Walk returns. What comes from a client is checked before it is used: lengths of buffers and children,
// offsets (bounds and order), run ends, keys of dictionaries that are not a leaf's, nulls in fields that are not nullable.
// Errors name the field path and, where it is one slot's, the record. The leaf's own value buffers, and the range of its
// dictionary keys, are the page writer's to check. Where no record reaches, anything may stand.
package levels

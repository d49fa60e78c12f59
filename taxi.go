package main

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// taxiSchema is that of the demo's table: taxi rides, in shape like the trip records that cities publish.
var taxiSchema = arrow.NewSchema([]arrow.Field{
	{Name: "pickup_at", Type: &arrow.TimestampType{Unit: arrow.Microsecond}},
	{Name: "dropoff_at", Type: &arrow.TimestampType{Unit: arrow.Microsecond}},
	{Name: "vendor", Type: arrow.PrimitiveTypes.Int8},
	{Name: "passengers", Type: arrow.PrimitiveTypes.Int8, Nullable: true},
	{Name: "distance_km", Type: arrow.PrimitiveTypes.Float64},
	{Name: "pickup_zone", Type: zoneType, Nullable: true},
	{Name: "dropoff_zone", Type: zoneType, Nullable: true},
	{Name: "payment", Type: arrow.BinaryTypes.String},
	{Name: "fare", Type: moneyType},
	{Name: "tip", Type: moneyType, Nullable: true},
	{Name: "shared", Type: arrow.FixedWidthTypes.Boolean},
}, nil)

var (
	zoneType  = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int16, ValueType: arrow.BinaryTypes.String}
	moneyType = &arrow.Decimal128Type{Precision: 9, Scale: 2}

	zones = []string{"Airport", "Arsenal", "Botanic Garden", "Canal Street", "Cathedral", "Docks", "East Bridge",
		"Fish Market", "Grand Station", "Hospital", "Old Town", "Opera", "Park Row", "Quarry Hill", "Riverside",
		"Stadium", "Theatre Lane", "University", "Windmill Hill", "Zoo"}
	payments = []string{"card", "cash", "app", "voucher"}
)

// taxiStart is when the first ride begins.
var taxiStart = time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)

// taxiRides makes rides, the same ones every time.
type taxiRides struct {
	random *rand.Rand
	clock  int64 // microseconds since 1970: when the last ride began
}

func newTaxiRides() *taxiRides {
	return &taxiRides{random: rand.New(rand.NewPCG(2026, 3)), clock: taxiStart.UnixMicro()}
}

// batch makes the next rides. The caller releases them.
func (t *taxiRides) batch(rides int) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, taxiSchema)
	defer b.Release()
	b.Reserve(rides)
	pickupZone, dropoffZone := b.Field(5).(*array.BinaryDictionaryBuilder), b.Field(6).(*array.BinaryDictionaryBuilder)
	for range rides {
		t.ride(b)
		t.zone(pickupZone)
		t.zone(dropoffZone)
	}
	return b.NewRecordBatch()
}

// ride appends one ride, but for its zones.
func (t *taxiRides) ride(b *array.RecordBuilder) {
	r := t.random
	t.clock += int64(r.ExpFloat64() * 1.3e6)
	km := math.Round(100*math.Exp(1+0.8*r.NormFloat64())) / 100
	seconds := 60 + km*(90+120*r.Float64())
	cents := int64(300 + 180*km + seconds/2)
	payment := payments[min(int(r.ExpFloat64()), len(payments)-1)]

	pickup := t.clock - t.clock%1e6 // meters count whole seconds
	b.Field(0).(*array.TimestampBuilder).Append(arrow.Timestamp(pickup))
	b.Field(1).(*array.TimestampBuilder).Append(arrow.Timestamp(pickup + int64(seconds)*1e6))
	b.Field(2).(*array.Int8Builder).Append(int8(1 + r.IntN(2)))
	if passengers := b.Field(3).(*array.Int8Builder); r.IntN(25) == 0 {
		passengers.AppendNull()
	} else {
		passengers.Append(int8(1 + min(r.ExpFloat64(), 5)))
	}
	b.Field(4).(*array.Float64Builder).Append(km)
	b.Field(7).(*array.StringBuilder).Append(payment)
	b.Field(8).(*array.Decimal128Builder).Append(decimal128.FromI64(cents))
	if tip := b.Field(9).(*array.Decimal128Builder); payment == "cash" {
		tip.AppendNull() // nobody knows
	} else {
		tip.Append(decimal128.FromI64(cents * int64(r.IntN(6)) * 5 / 100))
	}
	b.Field(10).(*array.BooleanBuilder).Append(r.IntN(50) == 0)
}

// zone appends a zone: popular ones more often, and none for a ride that began or ended outside.
func (t *taxiRides) zone(b *array.BinaryDictionaryBuilder) {
	i := int(math.Abs(t.random.NormFloat64()) * 8)
	if i >= len(zones) {
		b.AppendNull()
		return
	}
	if err := b.AppendString(zones[i]); err != nil {
		panic(err) // the dictionary cannot be full
	}
}

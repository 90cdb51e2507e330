package result

import (
	"math/big"
	"reflect"
	"strconv"
	"sync"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
)

// lastOf is the greatest value of each enumeration; the smallest is 0.
var lastOf = map[reflect.Type]uint64{
	reflect.TypeFor[engine.Status]():          uint64(engine.Removed),
	reflect.TypeFor[engine.Kind]():            uint64(engine.RestsAsBefore),
	reflect.TypeFor[engine.Verdict]():         uint64(engine.IllFormed),
	reflect.TypeFor[engine.WaiverState]():     uint64(engine.Needless),
	reflect.TypeFor[engine.AcceptanceKind]():  uint64(engine.AcceptConfirm),
	reflect.TypeFor[engine.AcceptanceState](): uint64(engine.Idle),
	reflect.TypeFor[engine.Extent]():          uint64(engine.ChangesOnly),
	reflect.TypeFor[delta.Action]():           uint64(delta.Rewired),
	reflect.TypeFor[delta.Element]():          uint64(delta.Acceptance),
	reflect.TypeFor[delta.Side]():             uint64(delta.InHead),
	reflect.TypeFor[delta.Relation]():         uint64(delta.Otherwise),
}

var bigType = reflect.TypeFor[*big.Int]()

// A field of a structure, as it stands in a file: fields of embedded structures stand beside the others. What is not
// exported is not in a file: engine.Trace has a number that only its making needs.
type field struct {
	name string
	key  string // as it is written
	at   []int  // for reflect.Value.FieldByIndex
}

var fieldsKnown sync.Map // reflect.Type: []field

// fieldsOf lists a structure's fields in order.
func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldsKnown.Load(t); ok {
		return known.([]field)
	}
	var list []field
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() && !f.Anonymous {
			list = append(list, field{f.Name, strconv.Quote(f.Name) + ":", f.Index})
		}
	}
	fieldsKnown.Store(t, list)
	return list
}

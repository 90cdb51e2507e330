package result

import (
	"math/big"
	"reflect"
	"strconv"
	"sync"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
)

// lastOf is the greatest value of each enumeration; the smallest is 0.
var lastOf = map[reflect.Type]uint64{
	reflect.TypeFor[finding.Status]():          uint64(finding.Removed),
	reflect.TypeFor[finding.Kind]():            uint64(finding.RestsAsBefore),
	reflect.TypeFor[finding.Verdict]():         uint64(finding.IllFormed),
	reflect.TypeFor[finding.WaiverState]():     uint64(finding.Needless),
	reflect.TypeFor[finding.AcceptanceKind]():  uint64(finding.AcceptConfirm),
	reflect.TypeFor[finding.AcceptanceState](): uint64(finding.Idle),
	reflect.TypeFor[finding.Extent]():          uint64(behaviour.ChangesOnly),
	reflect.TypeFor[diff.Action]():             uint64(diff.Rewired),
	reflect.TypeFor[diff.Element]():            uint64(diff.Acceptance),
	reflect.TypeFor[diff.Side]():               uint64(diff.InHead),
	reflect.TypeFor[delta.Relation]():          uint64(delta.Otherwise),
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

// fieldsOf lists a structure's fields in order, without those of the work alone: `result:"-"`.
func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldsKnown.Load(t); ok {
		return known.([]field)
	}
	var list []field
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() && !f.Anonymous && f.Tag.Get("result") != "-" {
			list = append(list, field{f.Name, strconv.Quote(f.Name) + ":", f.Index})
		}
	}
	fieldsKnown.Store(t, list)
	return list
}

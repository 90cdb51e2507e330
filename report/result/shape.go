package result

import (
	"math/big"
	"reflect"
	"strconv"
	"sync"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
)

// lastOf has the greatest value of each enumeration. The smallest is 0.
var lastOf = map[reflect.Type]uint64{
	reflect.TypeFor[finding.Status]():          uint64(finding.Removed),
	reflect.TypeFor[finding.Kind]():            uint64(finding.RestsAsBefore),
	reflect.TypeFor[finding.Verdict]():         uint64(finding.IllFormed),
	reflect.TypeFor[finding.WaiverState]():     uint64(finding.Needless),
	reflect.TypeFor[finding.AcceptanceKind]():  uint64(finding.AcceptSetting),
	reflect.TypeFor[finding.AcceptanceState](): uint64(finding.Idle),
	reflect.TypeFor[finding.Extent]():          uint64(finding.ChangesOnly),
	reflect.TypeFor[diff.Action]():             uint64(diff.Rewired),
	reflect.TypeFor[diff.Element]():            uint64(diff.Acceptance),
	reflect.TypeFor[diff.Side]():               uint64(diff.InHead),
	reflect.TypeFor[delta.Relation]():          uint64(delta.Otherwise),
}

var bigType = reflect.TypeFor[*big.Int]()

// A field is a field of a structure in a file. Fields of embedded structures are written beside the others. Fields that are not exported
// are not written.
type field struct {
	name string
	key  string // name as it is written
	at   []int  // for reflect.Value.FieldByIndex
}

var fieldsKnown sync.Map // reflect.Type: []field

// fieldsOf lists the fields of a structure in order. It leaves out those with the tag `result:"-"`, which only a computation needs.
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

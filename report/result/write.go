package result

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"unicode/utf8"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/canonical"
)

// maxSize is the maximum size of a file in bytes.
const maxSize = 128 << 20

// form is how files are written. It limits strings to 4 MiB; a file of a contract has at most 1 MiB.
var form = &canonical.Form{Quote: quote, Last: lastOf, Check: validate, MaxSize: maxSize, MaxText: 4 << 20}

// lastOf has the greatest value of each enumeration. The smallest is 0.
var lastOf = map[reflect.Type]uint64{
	reflect.TypeFor[finding.Status]():          uint64(finding.Removed),
	reflect.TypeFor[finding.Kind]():            uint64(finding.RestsAsBefore),
	reflect.TypeFor[finding.Verdict]():         uint64(finding.IllFormed),
	reflect.TypeFor[finding.WaiverState]():     uint64(finding.Needless),
	reflect.TypeFor[finding.AcceptanceKind]():  uint64(finding.AcceptSetting),
	reflect.TypeFor[finding.AcceptanceRule]():  uint64(finding.AcceptAmendment),
	reflect.TypeFor[finding.AcceptanceState](): uint64(finding.Idle),
	reflect.TypeFor[finding.Extent]():          uint64(finding.ChangesOnly),
	reflect.TypeFor[diff.Action]():             uint64(diff.Rewired),
	reflect.TypeFor[diff.Element]():            uint64(diff.Acceptance),
	reflect.TypeFor[diff.Side]():               uint64(diff.InHead),
	reflect.TypeFor[delta.Relation]():          uint64(delta.Otherwise),
}

// Write writes a file. The bytes depend on nothing but f. An error comes from w, or names a value that Read would refuse.
func Write(w io.Writer, f *File) error {
	raw, err := form.Append(nil, f)
	if err == nil {
		_, err = w.Write(raw)
	}
	if err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	return nil
}

// quote writes a text that is not plain ASCII. One that is not UTF-8, such as a line of a file that a message quotes, is written in base64.
func quote(text string) string {
	if !utf8.ValidString(text) {
		return `{"base64":"` + base64.StdEncoding.EncodeToString([]byte(text)) + `"}`
	}
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err) // cannot happen for a string
	}
	return string(raw)
}

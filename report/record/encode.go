package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/redlinehq/redline/report/canonical"
)

// MaxSize limits the size of a record's git object, in bytes.
const MaxSize = 8 << 20

// Sum returns the SHA-256 of raw, as "sha256:" and hexadecimal digits.
func Sum(raw []byte) string {
	h := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(h[:])
}

// Encode returns the statement's only encoding: the same bytes for the same statement. They are all ASCII, so that a terminal or page that
// shows them neither hides nor obeys anything in them.
func (s *Statement) Encode() []byte { return Encode(s) }

// form is how statements and envelopes are written. What Read returns shares memory with the text: clone strings that outlive it.
var form = &canonical.Form{Indent: true, Signed: true, Shared: true, Quote: quote}

// Encode returns the canonical JSON of a value whose type belongs to records. It panics for kinds of values that records do not have.
func Encode(v any) []byte { return appendTo(make([]byte, 0, 8192), v) }

func appendTo(to []byte, v any) []byte {
	to, err := form.Append(to, v)
	if err != nil {
		panic(err) // the form of records has no limit and no check
	}
	return to
}

func quote(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a text
	}
	return string(ASCII([]byte(strings.TrimSuffix(b.String(), "\n"))))
}

// ASCII returns JSON text with every character escaped that is not printable ASCII, except line ends. Such characters occur in strings only.
func ASCII(raw []byte) []byte {
	if !slices.ContainsFunc(raw, func(c byte) bool { return c != '\n' && (c < ' ' || c >= unicode.MaxASCII) }) {
		return raw
	}
	var b bytes.Buffer
	for _, r := range string(raw) {
		switch {
		case r == '\n' || r < unicode.MaxASCII && unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
	}
	return b.Bytes()
}

// decode reads canonical JSON into v and refuses everything else: unknown, missing or repeated fields, and any other layout.
func decode(raw []byte, v any) error {
	if form.Read(raw, v) == nil {
		return nil
	}
	other := reflect.New(reflect.TypeOf(v).Elem()).Interface()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(other); err != nil { // its message names the mistake
		return err
	}
	return errors.New("it is not written as redline writes it: a field is missing, there twice or out of order, or somebody has changed the layout")
}

// DecodeStatement reads a statement and validates it. It returns an error for every text that redline would not have written.
func DecodeStatement(raw []byte) (*Statement, error) {
	s := &Statement{}
	if err := decode(raw, s); err != nil {
		if n, known := formatOf(raw); known && !isFormat(n) {
			return nil, unknownFormat(n)
		}
		return nil, err
	}
	if n := s.Draft().Format; !isFormat(n) {
		return nil, unknownFormat(n)
	}
	return s, s.Validate()
}

func isFormat(n int) bool { return n >= oldestFormat && n <= format }

func unknownFormat(n int) error {
	return fmt.Errorf("it has format %d; this redline knows %d to %d", n, oldestFormat, format)
}

// formatOf returns the format of a statement that may have fields this version does not know. known is false if the text does not state a
// format.
func formatOf(raw []byte) (n int, known bool) {
	var first struct {
		Predicate struct {
			Redline struct {
				Format *int `json:"format"`
			} `json:"redline"`
		} `json:"predicate"`
	}
	if err := json.Unmarshal(raw, &first); err != nil || first.Predicate.Redline.Format == nil {
		return 0, false
	}
	return *first.Predicate.Redline.Format, true
}

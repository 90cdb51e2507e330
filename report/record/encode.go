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
	"unicode"
	"unicode/utf16"
)

// MaxSize is how many bytes the object of a record may have.
const MaxSize = 8 << 20

// Digest is the SHA-256 of the statement as it is written, "sha256:...". What a signature is of is these bytes.
func (s *Statement) Digest() string { return Sum(s.Encode()) }

func Sum(raw []byte) string {
	h := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(h[:])
}

// Encode writes the statement: the same bytes for the same statement, in ASCII alone, so that nothing in it is hidden or
// obeyed where it is shown.
func (s *Statement) Encode() []byte { return Encode(s) }

func Encode(v any) []byte { return appendedTo(make([]byte, 0, 8192), v) }

func appendedTo(to []byte, v any) []byte {
	of := reflect.Indirect(reflect.ValueOf(v))
	return append(shapeOf(of.Type()).appended(to, of), '\n')
}

// ASCII escapes what is not a printable character of ASCII. Such characters occur in strings only, but for line ends.
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

// decode reads what encode writes, and nothing else. So no field is unknown, missing or there twice, and there is one way to write a
// statement.
func decode(raw []byte, v any) error {
	if readStrict(raw, v) {
		return nil
	}
	other := reflect.New(reflect.TypeOf(v).Elem()).Interface()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(other); err != nil { // says which
		return err
	}
	return errors.New("it is not written as redline writes it: a field is missing, there twice or out of order, or somebody has changed the layout")
}

// DecodeStatement reads a statement and holds it to what redline keeps to.
func DecodeStatement(raw []byte) (*Statement, error) {
	s := &Statement{}
	if err := decode(raw, s); err != nil {
		if n, known := formatOf(raw); known && n != Format {
			return nil, fmt.Errorf("it has format %d; this redline knows %d", n, Format)
		}
		return nil, err
	}
	if n := s.Draft().Format; n != Format {
		return nil, fmt.Errorf("it has format %d; this redline knows %d", n, Format)
	}
	return s, s.Lawful()
}

// formatOf is the format of a statement that has fields this redline does not know.
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

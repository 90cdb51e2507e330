package record

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/redlinehq/redline/hclspec"
)

// KeysFile is the path of the file in which a repository lists the keys whose records it accepts.
const KeysFile = ".github/redline.keys"

// maxKeys limits the number of listed keys, maxKeysFile the size of the file in bytes.
const (
	maxKeys     = 1_000
	maxKeysFile = 1 << 20
)

// Keys are the accepted keys, by their ids. Without any, unsigned records count too.
type Keys map[string]Verifier

// A Verifier is the public half of an accepted key.
type Verifier struct {
	Name     string
	From, To int    // the first and the last position of the log whose records it may sign; 0: no such bound
	Until    string // the last day whose records it may sign, as 2027-03-31; empty: it is still in use
	Key      ed25519.PublicKey
}

// Within reports whether the key may sign records at a position of the log.
func (v *Verifier) Within(position int) bool {
	return position >= v.From && (v.To == 0 || position <= v.To)
}

const keyPrefix = "ed25519:"

// isName reports whether s is a valid name for a key.
func isName(s string) bool {
	return s != "" && len(s) <= 100 && !strings.ContainsFunc(s, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._@+-", r)
	})
}

// Line returns the key's line in a file of keys, without a line end.
func (k *Key) Line(name string) string {
	return name + " " + keyPrefix + base64.StdEncoding.EncodeToString(k.Public())
}

// ParseKeys reads a file of keys. Each line has a name, "ed25519:" with the public key in base64, and bounds: "from=41" and "to=80", positions of
// the log, and "until=2027-03-31", a day. Lines that begin with # are comments. A bad line, or a file without keys, is an error.
func ParseKeys(src []byte, file string) (Keys, error) {
	if len(src) > maxKeysFile {
		return nil, fmt.Errorf("%s has more than %d bytes", file, maxKeysFile)
	}
	keys := Keys{}
	for i, line := range strings.Split(string(src), "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		v, err := parseVerifier(fields)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		id := keyID(v.Key)
		if _, twice := keys[id]; twice {
			return nil, fmt.Errorf("%s:%d: the key of %s is there twice", file, i+1, v.Name)
		}
		if keys[id] = v; len(keys) > maxKeys {
			return nil, fmt.Errorf("%s has more than %d keys", file, maxKeys)
		}
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%s lists no key: 'redline keygen FILE' makes one", file)
	}
	return keys, nil
}

func parseVerifier(fields []string) (v Verifier, err error) {
	if len(fields) < 2 || len(fields) > 5 || !isName(fields[0]) {
		return v, fmt.Errorf("a line is a name (letters, digits, . _ @ + -), %sKEY, and from=POSITION, to=POSITION, until=DAY where there are any", keyPrefix)
	}
	v.Name = fields[0]
	text, ok := strings.CutPrefix(fields[1], keyPrefix)
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if !ok || err != nil || len(raw) != ed25519.PublicKeySize {
		return v, fmt.Errorf("the key of %s is not %s and 32 bytes in base64", v.Name, keyPrefix)
	}
	v.Key = raw
	for _, bound := range fields[2:] {
		if err := v.bound(bound); err != nil {
			return v, err
		}
	}
	if v.To != 0 && v.From > v.To {
		return v, fmt.Errorf("the key of %s is valid from position %d to %d, which is none", v.Name, v.From, v.To)
	}
	return v, nil
}

// bound reads until=DAY, from=POSITION, or to=POSITION, each at most once.
func (v *Verifier) bound(text string) error {
	word, value, _ := strings.Cut(text, "=")
	position := map[string]*int{"from": &v.From, "to": &v.To}[word]
	switch {
	case word == "until" && v.Until == "" && hclspec.IsDay(value):
		v.Until = value
	case position != nil && *position == 0 && value != "" && len(value) < 10 && value[0] != '0' && only(value, decimals):
		*position, _ = strconv.Atoi(value) // of digits
	default:
		return fmt.Errorf("%.40q is not, for the first time, until= and a day, as until=2027-03-31, or from= or to= and a position of the log, as to=41", text)
	}
	return nil
}

// Signed is the outcome of checking a record's signature.
type Signed uint8

const (
	Unsigned   Signed = iota
	Accepted          // by a key that is listed
	Unlisted          // by a key that is not listed, so that it can't be checked
	Forged            // names a listed key that did not make it
	OutOfTime         // by a key that is listed, after its last day
	OutOfPlace        // by a key that is listed, at a position of the log at which it is not valid
)

func (s Signed) String() string {
	return [...]string{"unsigned", "signed", "signed by a key that is not listed", "forged signature", "signed after the key's last day", "signed outside of the key's positions"}[s]
}

// Accepts reports whether a record in this state counts. If keys are listed, only records signed by one of them count.
func (k Keys) Accepts(s Signed) bool {
	return s == Accepted || len(k) == 0 && s != Forged && s != OutOfTime && s != OutOfPlace
}

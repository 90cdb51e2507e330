// Package spell writes the text of contracts out of what other notations call things: names that are names, texts that stay texts, and
// blocks in the canonical layout. It knows what text may be, and nothing of what it means.
package spell

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/format"
	"github.com/redlinehq/redline/hclspec/load"
)

// Names are the names of one namespace that are taken, each with the last number that was put after it, or 1.
type Names map[string]int

// reserved are names that mean something else to a contract.
var reserved = slices.Concat(construct.Keywords, construct.Roots)

// maxName is how long a name is made at most, in bytes; the language takes 128.
const maxName = 100

// Fresh makes a name of the first of some texts that has a letter or a digit: each character that can't be in a name becomes a
// hyphen, and a number follows where the name is taken. What it returns is taken then.
func (n Names) Fresh(texts ...string) string {
	name := "x"
	for _, text := range texts {
		if made := identifier(text); made != "" {
			name = made
			break
		}
	}
	unique := name
	for n[unique] > 0 || slices.Contains(reserved, unique) {
		n[name] = max(n[name], 1) + 1 // never tried again, or many of one name would take for ever
		unique = fmt.Sprintf("%s-%d", name, n[name])
	}
	n[unique] = 1
	return unique
}

// identifier is empty where nothing of the text can be in a name.
func identifier(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range cty.NormalizeString(text) {
		if r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			gap = false
		} else {
			gap = true
		}
		if b.Len() >= maxName {
			break
		}
	}
	name := strings.Trim(b.String(), "-")
	if hclspec.Mixed(name) {
		name = hclspec.Skeleton(name)
	}
	if name != "" && !hclsyntax.ValidIdentifier(name) {
		name = strings.TrimRight("n-"+strings.TrimLeft(name, "-_"), "-")
	}
	if !hclsyntax.ValidIdentifier(name) || cty.NormalizeString(name) != name || strings.HasSuffix(name, "-") {
		return "" // a letter to Unicode, and yet none to HCL
	}
	return name
}

// maxText is how long a text for readers is made at most, in runes.
const maxText = 500

// Quote is a text in quotes, on one line. Characters that show nothing, or turn text around, become spaces.
func Quote(text string) string {
	shown := []rune(strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	}), " "))
	if len(shown) > maxText {
		shown = append(shown[:maxText-1], '…')
	}
	return string(hclwrite.TokensForValue(cty.StringVal(string(shown))).Bytes())
}

// A Text is a contract in the making, block by block.
type Text struct {
	b    strings.Builder
	open []*block
}

// A block that is open: its header, what stands in it, and whether that fits the header's line.
type block struct {
	header string
	body   strings.Builder
	lines  int
}

// Open begins a block: its type and its labels.
func (t *Text) Open(kind string, labels ...string) {
	for _, l := range labels {
		kind += fmt.Sprintf(" %q", l)
	}
	t.open = append(t.open, &block{header: kind})
}

// Set writes an attribute, whose value is in the language already.
func (t *Text) Set(name, value string) {
	t.write(fmt.Sprintf("%s = %s\n", name, value))
}

func (t *Text) write(text string) {
	if n := len(t.open); n > 0 {
		t.open[n-1].body.WriteString(text)
		t.open[n-1].lines += strings.Count(text, "\n")
		return
	}
	t.b.WriteString(text)
}

// Close ends a block. One of a single attribute, or of none, is a line.
func (t *Text) Close() {
	last := t.open[len(t.open)-1]
	header, body, lines := last.header, last.body.String(), last.lines
	t.open = t.open[:len(t.open)-1]
	switch {
	case lines == 0:
		t.write(header + " {}\n")
	case lines == 1 && !strings.HasSuffix(body, "}\n"):
		t.write(header + " { " + strings.TrimSuffix(body, "\n") + " }\n")
	default:
		t.write(header + " {\n" + body + "}\n")
	}
}

// Title writes a title, if there is one that says more than the name does.
func (t *Text) Title(name, title string) {
	if quoted := Quote(title); quoted != `""` && quoted != `"`+name+`"` {
		t.Set("title", quoted)
	}
}

// Place writes a place.
func (t *Text) Place(name, title string, marked bool) {
	t.Open("place", name)
	t.Title(name, title)
	if marked {
		t.Set("marked", "true")
	}
	t.Close()
}

// List writes an attribute that is a list of names, if there are any.
func (t *Text) List(name string, of []string) {
	if len(of) > 0 {
		t.Set(name, "["+strings.Join(of, ", ")+"]")
	}
}

// Note writes a comment.
func (t *Text) Note(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		t.write(strings.TrimRight("# "+line, " ") + "\n")
	}
}

// String is the text as it was written, which is not in the canonical layout.
func (t *Text) String() string { return t.b.String() }

// Contract is the text in the canonical layout. It has been read back: an error says why it is no contract, which is that
// it is too large for one.
func (t *Text) Contract() ([]byte, error) {
	if n := t.b.Len(); n > hclspec.MaxFileSize {
		return nil, fmt.Errorf("it can't be written as a contract: it would have %d bytes, and a file has at most %d", n, hclspec.MaxFileSize)
	}
	out, diags := format.File([]byte(t.b.String()), "contract")
	if !diags.HasErrors() {
		diags = load.Text(map[string][]byte{"x.contract.hcl": out}, ".", nil).Diagnostics
	}
	if i := slices.IndexFunc(diags, func(d *hcl.Diagnostic) bool { return d.Severity == hcl.DiagError }); i >= 0 {
		return nil, errors.New("it can't be written as a contract: " + diags[i].Summary)
	}
	return out, nil
}

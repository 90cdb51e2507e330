package diag

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec/codes"
)

// Foreign reports the diagnostics of HCL under our code and in our words, without their evaluation contexts.
func (s *Sink) Foreign(c codes.Code, found hcl.Diagnostics) {
	for _, d := range found {
		own := *d
		own.Summary, own.Detail = reworded(d)
		own.Extra, own.Expression, own.EvalContext = c, nil, nil
		if own.Subject == nil {
			own.Subject = &hcl.Range{Filename: s.Shown, Start: hcl.InitialPos, End: hcl.InitialPos}
		}
		s.Diags = append(s.Diags, &own)
	}
}

// reworded returns summary and detail of a diagnostic of HCL in the words of a drafter; its own where there are no better ones.
func reworded(d *hcl.Diagnostic) (summary, detail string) {
	if at := givenTwice.FindStringSubmatch(d.Detail); d.Summary == "Attribute redefined" && at != nil {
		return fmt.Sprintf("Attribute %q is given twice in one block; first on line %s.", at[1], at[2]), "Keep one of the two."
	}
	for _, w := range wordings {
		if w.summary == d.Summary && strings.HasPrefix(d.Detail, w.detail) {
			return w.message, w.hint
		}
	}
	return d.Summary, d.Detail
}

// givenTwice matches HCL's detail on an argument that is given twice.
var givenTwice = regexp.MustCompile(`^The argument "([^"]+)" was already set at .*:([0-9]+),[0-9]+-[0-9]+\. `)

// wordings lists messages of HCL, by summary and the beginning of the detail, with our own. The first that matches counts.
var wordings = []struct{ summary, detail, message, hint string }{
	{"Invalid single-argument block definition", "", "A block on one line has room for one attribute only.", "Put each attribute on a line of its own, and the closing brace, too. Several values stand in brackets: NAME = [a, b]."},
	{"Argument definition required", "", "An equals sign is missing, or this is a block inside a block on one line.", "Write NAME = VALUE. A block inside another begins a line of its own."},
	{"Argument or block definition required", "An argument or block definition is required here. To set", "After this name, an equals sign or a block in braces is missing.", "Write NAME = VALUE, or NAME \"LABEL\" { ... } for a block."},
	{"Argument or block definition required", "", "The name of an attribute or of a block is expected here.", ""},
	{"Invalid argument name", "", "The name of an attribute has no quotes.", "Write NAME = VALUE."},
	{"Unclosed configuration block", "", "A closing brace } is missing: this block does not end before the end of the file.", "The missing one may also be that of a block further down."},
	{"Invalid block definition", "The equals sign", "A block has no equals sign before its braces.", "Write NAME \"LABEL\" { ... }."},
	{"Invalid block definition", "A block definition must have", "The opening brace { of a block is missing.", "It stands on the same line as the block's name."},
	{"Invalid block definition", "Either", "After the name of a block, its label in quotes or { is expected.", "Write NAME \"LABEL\" { ... }."},
	{"Missing newline after block definition", "", "Something follows a block on its last line.", "Put it on a line of its own."},
	{"Missing newline after argument", "", "Something follows an attribute on its line.", "Put each attribute on a line of its own."},
	{"Unexpected comma after argument", "", "A comma follows an attribute.", "Several values stand in brackets: NAME = [a, b]. Else remove the comma, and put each attribute on a line of its own."},
	{"Invalid expression", "", "A value is expected here.", ""},
	{"Missing expression", "", "A value is expected here.", ""},
	{"Missing item separator", "", "A comma is missing in this list.", "Write [a, b]."},
	{"Missing attribute separator", "", "A comma is missing between two pairs in braces.", "Write { a = x, b = y }, or begin a new line."},
	{"Missing attribute value", "", "After this name in braces, = and a value are missing.", "Write { name = value }."},
	{"Missing key/value separator", "", "After this name in braces, = and a value are missing.", "Write { name = value }."},
	{"Unterminated tuple constructor expression", "", "A closing bracket ] is missing.", ""},
	{"Unterminated object constructor expression", "", "A closing brace } is missing.", ""},
	{"Unterminated function call", "", "A closing parenthesis ) is missing.", ""},
	{"Unbalanced parentheses", "", "A closing parenthesis ) is missing.", ""},
	{"Missing argument separator", "", "A comma or a closing parenthesis ) is missing.", ""},
	{"Invalid multi-line string", "", "A closing quote is missing: a text in quotes ends on the line on which it begins.", "A longer text begins with <<-EOT, and ends with EOT on a line of its own."},
	{"Unterminated template string", "", "The end of this text is missing.", ""},
	{"Invalid character", "Single quotes", "A text stands in double quotes, not in single ones.", "Write \"text\"."},
	{"Invalid character", "\"Curly quotes\"", "A text stands in straight quotes, not in curly ones.", "Write \"text\"."},
	{"Invalid character", "The \";\"", "There are no semicolons here.", "Put each attribute on a line of its own."},
	{"Invalid character", "", "This character has no meaning here.", ""},
	{"Unclosed template interpolation sequence", "", "After ${ in a text, the closing brace } is missing.", "Write $${ for the characters ${."},
	{"Extra characters after interpolation expression", "", "Between ${ and } in a text, one value is expected.", "Write $${ for the characters ${."},
	{"Incorrect condition type", "", "What stands before ? must be true or false.", ""},
	{"Null condition", "", "What stands before ? must be true or false; this is nothing (null).", ""},
	{"Inconsistent conditional result types", "", "Both values after ? must be of one type.", ""},
	{"Invalid index", "The given key does not identify an element", "The list has no element with this number; the first is [0].", ""},
}

package diag

import (
	"context"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// A Sink collects the mistakes in a text. It reports each once: consequences of a name or a body that is reported already are left out.
type Sink struct {
	ctx     context.Context
	Shown   string // prefix of the names of files
	Diags   hcl.Diagnostics
	suggest hclspec.Suggester
	Dropped map[string]bool          // names of blocks reported already and left out
	Unnamed int                      // blocks reported already and left out, of which the intended name is not known, and no unknown name was met that it may be
	Excused map[*hclsyntax.Body]bool // bodies with an unknown attribute or block: it may be the misspelt one that they lack
}

// New returns a Sink for the text with a shown name, read until the context ends.
func New(ctx context.Context, shown string) *Sink {
	return &Sink{ctx: ctx, Shown: shown, Dropped: map[string]bool{}, Excused: map[*hclsyntax.Body]bool{}}
}

// stopped is the value that CheckContext panics with, to end the reading from any depth.
type stopped struct{ cause error }

// CatchStop sets err to the cause if CheckContext has ended the reading. Defer it.
func CatchStop(err *error) {
	switch r := recover().(type) {
	case nil:
	case stopped:
		*err = r.cause
	default:
		panic(r)
	}
}

// Mistake reports an error at r.
func (s *Sink) Mistake(c codes.Code, r hcl.Range, summary, detail string) {
	s.Diags = append(s.Diags, &hcl.Diagnostic{
		Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &r, Extra: c,
	})
}

// Lacking reports that body lacks something, unless body has an unknown attribute or block, which may be that.
func (s *Sink) Lacking(body *hclsyntax.Body, r hcl.Range, summary, detail string) {
	if !s.Excused[body] {
		s.Mistake(MissingAttribute, r, summary, detail)
	}
}

// CheckContext ends the reading by a panic if its context has ended (see CatchStop). It is called once for each file, block and instance.
func (s *Sink) CheckContext() {
	if s.ctx.Err() != nil {
		panic(stopped{context.Cause(s.ctx)})
	}
}

// Unknown reports a name that is not declared, unless the block that declares it is reported already. Of a block whose name can't be read, that
// is the first unknown name without a near one.
func (s *Sink) Unknown(r hcl.Range, summary, name string, known func() []string) {
	if s.Dropped[name] {
		return
	}
	if s.Unnamed > 0 && s.Afford(1) && s.Guess(name, known()) == "" {
		s.Unnamed--
		s.Dropped[name] = true
		return
	}
	s.Mistake(UnknownName, r, summary, s.Hint(name, known))
}

// Hint suggests known names for an unknown one: the nearest, else all if there are at most 12.
func (s *Sink) Hint(name string, known func() []string) string {
	if !s.suggest.Spend(1) {
		return ""
	}
	all := known()
	detail := s.Guess(name, all)
	switch {
	case detail != "" || len(all) > 12:
		return detail
	case len(all) == 0:
		return "None is declared."
	}
	return "There are: " + strings.Join(all, ", ") + "."
}

// Afford takes n steps from the budget of suggestions, and reports whether as much was left.
func (s *Sink) Afford(n int) bool { return s.suggest.Spend(n) }

// Guess suggests the nearest known name for an unknown one; empty if none is near.
func (s *Sink) Guess(name string, known []string) string {
	near := s.suggest.Nearest(name, known)
	if near == "" || near == name {
		return ""
	}
	return hclspec.Meant(name, near)
}

package hclspec

import (
	"context"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec/codes"
)

// A sink collects what is wrong with a text. One mistake is reported once: what only follows from a name or a body that is reported
// already is left out.
type sink struct {
	ctx     context.Context
	shown   string // what the names of files begin with
	diags   hcl.Diagnostics
	suggest Suggester
	dropped map[string]bool          // names of blocks reported already and left out
	excused map[*hclsyntax.Body]bool // bodies with an unknown attribute or block: what they lack may be that
}

// newSink returns a sink for the text that is shown by a name, read until the context ends.
func newSink(ctx context.Context, shown string) *sink {
	return &sink{ctx: ctx, shown: shown, dropped: map[string]bool{}, excused: map[*hclsyntax.Body]bool{}}
}

// stopped is the value that ask panics with, to end the reading from any depth.
type stopped struct{ cause error }

// catchStop sets err to the cause where ask has ended the reading. It is to be deferred.
func catchStop(err *error) {
	switch r := recover().(type) {
	case nil:
	case stopped:
		*err = r.cause
	default:
		panic(r)
	}
}

// mistake reports an error at r.
func (s *sink) mistake(c codes.Code, r hcl.Range, summary, detail string) {
	s.diags = append(s.diags, &hcl.Diagnostic{
		Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &r, Extra: c,
	})
}

// lacking reports that body lacks something, unless it has something misspelt.
func (s *sink) lacking(body *hclsyntax.Body, r hcl.Range, summary, detail string) {
	if !s.excused[body] {
		s.mistake(codeMissingAttribute, r, summary, detail)
	}
}

// foreign reports the diagnostics of HCL under our code, without their evaluation contexts.
func (s *sink) foreign(c codes.Code, found hcl.Diagnostics) {
	for _, d := range found {
		own := *d
		own.Extra, own.Expression, own.EvalContext = c, nil, nil
		if own.Subject == nil {
			own.Subject = &hcl.Range{Filename: s.shown, Start: hcl.InitialPos, End: hcl.InitialPos}
		}
		s.diags = append(s.diags, &own)
	}
}

// ask ends the reading if its context has ended. It is called once for each file, block and instance.
func (s *sink) ask() {
	if s.ctx.Err() != nil {
		panic(stopped{context.Cause(s.ctx)})
	}
}

// unknown reports a name that is not declared, unless the block that was to declare it is reported already.
func (s *sink) unknown(r hcl.Range, summary, name string, known func() []string) {
	if !s.dropped[name] {
		s.mistake(codeUnknownName, r, summary, s.hint(name, known))
	}
}

// hint suggests known names for an unknown one: the nearest, else all if they are few.
func (s *sink) hint(name string, known func() []string) string {
	if !s.suggest.Spend(1) {
		return ""
	}
	all := known()
	detail := s.guess(name, all)
	if detail == "" && len(all) > 0 && len(all) <= 12 {
		detail = "There are: " + strings.Join(all, ", ") + "."
	}
	return detail
}

// guess suggests the nearest known name for an unknown one; empty if none is near.
func (s *sink) guess(name string, known []string) string {
	near := s.suggest.Nearest(name, known)
	if near == "" || near == name {
		return ""
	}
	return Meant(name, near)
}

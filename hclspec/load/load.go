package load

import (
	"bytes"
	"context"
	"io/fs"
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/phase"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// A Source is the outcome of reading a contract: the contract, and what is wrong with its text.
type Source struct {
	Contract    *hclspec.Contract // nil if Diagnostics has errors
	Diagnostics hcl.Diagnostics   // by file, then position; each has a Subject and a code (diag.CodeOf)
	Files       map[string][]byte // by shown name, for snippets; files refused for their size are not in it
	Index       *hclspec.Index    // what the text declares and mentions, wrong as it may be

	Shown string      // what the names of files begin with
	Given expr.Values // the values of variables from outside

	partly bool                       // some file of it was not read
	bodies map[string]*hclsyntax.Body // by shown name, once all is well: what nobody writes to any more
}

// A loader is one reading under way. Its parts do what comes before the elements are read: files, grammar, values, phases.
type loader struct {
	*diag.Sink
	*syntax.Files
	*syntax.Grammar
	*syntax.Resolver
	*phase.Expander // and its evaluator

	spec       *hclspec.Contract
	header     *hclsyntax.Block   // the contract block
	scopes     map[string]*scope  // by Party.Name
	families   map[string]*family // by name in the source
	partyNames []string           // in source order
	found      found
	events     syntax.Names
	documents  documents
	promises   syntax.Names // requirements

	expanded      int // what instances and events have been made to hold so far
	counterValues int // values of counters so far
	tried         int // combinations of values of counters so far
	trials        int // bytes that evaluating those has been charged

	norms  map[string]*norm
	begins map[string][]occasion // of the phases that wait
	tick   *hclspec.Event        // that time passes; nil until something has a duration
	end    *hclspec.Party        // the net that says whether the contract has ended; nil where nothing ends it
	moved  int                   // moves that norms and timers have made so far
}

// Dir reads the contract in directory dir of fsys: all its files named *.contract.hcl, in file-name order.
// Ranges name files as path.Join(shown, file). Variables take the values given, or else their defaults. An error says that fsys failed; whatever is wrong
// with the text is in Diagnostics, all of it at once.
func Dir(fsys fs.FS, dir, shown string, given expr.Values) (*Source, error) {
	return DirUnless(context.Background(), fsys, dir, shown, given, nil)
}

// DirUnless is Dir, but where the files are those that another Source was read from, name by name and byte
// by byte, it is that Source. Values given are taken to be the same. A nil Source is no other. When the context ends before the text is read, the
// error is its cause.
func DirUnless(ctx context.Context, fsys fs.FS, dir, shown string, given expr.Values, known *Source) (src *Source, err error) {
	l := newLoader(ctx, shown, given)
	defer diag.CatchStop(&err)
	if err := l.Read(fsys, dir); err != nil {
		return nil, err
	}
	if known != nil && known.Shown == shown && !known.partly && len(l.Diags) == 0 && maps.EqualFunc(known.Files, l.Content, bytes.Equal) {
		return known, nil
	}
	return l.source(), nil
}

// source is what comes of the files read.
func (l *loader) source() *Source {
	partly := len(l.Diags) > 0
	l.build()
	l.Diags = diag.Sort(l.Diags)
	src := &Source{Diagnostics: l.Diags, Files: l.Content, Index: l.index(), Shown: l.Shown, Given: l.Given, partly: partly}
	if !l.Diags.HasErrors() {
		src.Contract, src.bodies = l.spec, l.ByName()
	}
	return src
}

func newLoader(ctx context.Context, shown string, given expr.Values) *loader {
	s := diag.New(ctx, shown)
	f, rv := syntax.NewFiles(s), syntax.NewResolver(s)
	return &loader{
		Sink: s, Files: f, Grammar: syntax.NewGrammar(s), Resolver: rv, Expander: phase.New(expr.NewEvaluator(rv, f.Content, given)),
		spec:   &hclspec.Contract{},
		scopes: map[string]*scope{}, families: map[string]*family{}, events: syntax.Names{}, promises: syntax.Names{}, begins: map[string][]occasion{},
	}
}

// build makes the contract from the files read. A file that cannot be parsed ends it: names it was
// to declare would be reported as unknown.
func (l *loader) build() {
	blocks := l.Parse()
	if l.Diags.HasErrors() {
		return
	}
	for _, body := range l.Bodies {
		l.TopAttributes(body)
	}
	blocks = l.Shape(blocks)
	l.DefineVariables(blocks)
	l.DefineLocals(blocks)
	written := blocks
	blocks = l.ExpandPhases(blocks)
	l.contract(blocks)
	l.declareDocuments(blocks)
	l.declareParties(blocks)
	l.connectParties()
	l.declareEvents(blocks)
	l.startPhases(written)
	l.moveDocuments(blocks)
	l.timeEvents(blocks)
	l.declareNorms(blocks)
	l.addTime()
	l.declareRequirements(blocks)
	l.declareAccepts(blocks)
	l.declareRetires(blocks)
}

// Text reads a contract from files in memory: their bytes, by base name, all of which are read. The same limits hold.
func Text(text map[string][]byte, shown string, given expr.Values) *Source {
	return (&Source{Shown: shown, Given: given}).Reread(text)
}

// Reread is Text of another text in place of the source's own, with the same values given. Files
// that stay as they are, are not parsed again.
func (s *Source) Reread(text map[string][]byte) *Source {
	l := newLoader(context.Background(), s.Shown, s.Given)
	l.Before = &syntax.Parsed{Content: s.Files, Bodies: s.bodies}
	if l.Hold(text); len(text) == 0 {
		l.Nothing()
	}
	return l.source()
}

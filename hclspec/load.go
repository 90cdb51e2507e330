package hclspec

import (
	"bytes"
	"context"
	"io/fs"
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A Source is what Load read: the contract, and what is wrong with its text.
type Source struct {
	Contract    *Contract         // nil if Diagnostics has errors
	Diagnostics hcl.Diagnostics   // by file, then position; each has a Subject and a code (CodeOf)
	Files       map[string][]byte // by shown name, for snippets; files refused for their size are not in it
	Index       *Index            // what the text declares and mentions, wrong as it may be

	Shown string // as Load was told: what the names of files begin with
	Given Values // as Load was given

	partly bool                       // some file of it was not read
	bodies map[string]*hclsyntax.Body // by shown name, once all is well: what nobody writes to any more
}

// A loader is one Load under way. Its parts do what comes before the elements are read: files, grammar, values, phases.
type loader struct {
	*sink
	*files
	*grammar
	*resolver
	*expander // and its evaluator

	spec       *Contract
	header     *hclsyntax.Block   // the contract block
	scopes     map[string]*scope  // by Party.Name
	families   map[string]*family // by name in the source
	partyNames []string           // in source order
	found      found
	events     names
	documents  documents
	promises   names // requirements

	expanded      int // what instances and events have been made to hold so far
	counterValues int // values of counters so far
	tried         int // combinations of values of counters so far
	trials        int // bytes that evaluating those has been charged

	norms  map[string]*norm
	begins map[string][]occasion // of the phases that wait
	tick   *Event                // that time passes; nil until something has a duration
	end    *Party                // the net that says whether the contract has ended; nil where nothing ends it
	moved  int                   // moves that norms and timers have made so far
}

// Load reads the contract in directory dir of fsys: all its files named *.contract.hcl, in file-name order.
// Ranges name files as path.Join(shown, file). Variables take the values given, or else their defaults. An error says that fsys failed; whatever is wrong
// with the text is in Diagnostics, all of it at once.
func Load(fsys fs.FS, dir, shown string, given Values) (*Source, error) {
	return LoadUnless(context.Background(), fsys, dir, shown, given, nil)
}

// LoadUnless is Load, but where the files are those that another Source was read from, name by name and byte
// by byte, it is that Source. Values given are taken to be the same. A nil Source is no other. When the context ends before the text is read, the
// error is its cause.
func LoadUnless(ctx context.Context, fsys fs.FS, dir, shown string, given Values, known *Source) (src *Source, err error) {
	l := newLoader(ctx, shown, given)
	defer catchStop(&err)
	if err := l.read(fsys, dir); err != nil {
		return nil, err
	}
	if known != nil && known.Shown == shown && !known.partly && len(l.diags) == 0 && maps.EqualFunc(known.Files, l.content, bytes.Equal) {
		return known, nil
	}
	return l.source(), nil
}

// source is what comes of the files read.
func (l *loader) source() *Source {
	partly := len(l.diags) > 0
	l.build()
	l.diags = sortDiagnostics(l.diags)
	src := &Source{Diagnostics: l.diags, Files: l.content, Index: l.index(), Shown: l.shown, Given: l.given, partly: partly}
	if !l.diags.HasErrors() {
		src.Contract, src.bodies = l.spec, l.byName()
	}
	return src
}

func newLoader(ctx context.Context, shown string, given Values) *loader {
	s := newSink(ctx, shown)
	f, rv := newFiles(s), newResolver(s)
	return &loader{
		sink: s, files: f, grammar: newGrammar(s), resolver: rv, expander: newExpander(newEvaluator(rv, f.content, given)),
		spec:   &Contract{},
		scopes: map[string]*scope{}, families: map[string]*family{}, events: names{}, promises: names{}, begins: map[string][]occasion{},
	}
}

// build makes the contract from the files read. A file that cannot be parsed ends it: names it was
// to declare would be reported as unknown.
func (l *loader) build() {
	blocks := l.parse()
	if l.diags.HasErrors() {
		return
	}
	for _, body := range l.bodies {
		l.topAttributes(body)
	}
	blocks = l.shape(blocks)
	l.defineVariables(blocks)
	l.defineLocals(blocks)
	written := blocks
	blocks = l.expandPhases(blocks)
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

// LoadText is Load of files that lie in no file system: their bytes, by base name, all of which are
// read. The same limits hold.
func LoadText(text map[string][]byte, shown string, given Values) *Source {
	return (&Source{Shown: shown, Given: given}).Reread(text)
}

// Reread is LoadText of another text in place of the source's own, with the same values given. Files
// that stay as they are, are not parsed again.
func (s *Source) Reread(text map[string][]byte) *Source {
	l := newLoader(context.Background(), s.Shown, s.Given)
	l.before = &parsed{s.Files, s.bodies}
	if l.hold(text); len(text) == 0 {
		l.nothing()
	}
	return l.source()
}

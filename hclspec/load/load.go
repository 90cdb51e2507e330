package load

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/duration"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/phase"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// A Source is the result of reading a contract: the contract, and the mistakes in its text.
type Source struct {
	Contract    *hclspec.Contract // nil if Diagnostics has errors
	Diagnostics hcl.Diagnostics   // by file, then position; each has a Subject and a code (diag.CodeOf)
	Files       map[string][]byte // by shown name, for snippets; files refused for their size are not in it
	Index       *hclspec.Index    // declarations and mentions, also in a text with mistakes

	Shown      string            // prefix of the names of files
	Overridden map[string]string // defaults of the variables whose value comes from outside
	given      expr.Values       // values of variables from outside

	partly bool                       // some file of it was not read
	finest string                     // the unit of the tick that was asked for; empty: the text says
	bodies map[string]*hclsyntax.Body // by shown name, if there are no errors; read-only
}

// A loader is one reading under way. Its embedded parts do what comes before the elements: files, grammar, values, phases.
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
	names      nameCache
	events     syntax.Names
	documents  documents
	promises   syntax.Names // requirements

	expanded      int // elements of instances and events so far
	crowds        int // blocks whose instances were too many
	counterValues int // values of counters so far
	tried         int // combinations of values of counters so far
	trials        int // bytes charged for evaluating those

	norms    map[string]*norm
	compiled []*norm                             // with occurrences in place of those that have some
	owners   map[*hclspec.Place]*hclspec.Party   // by place: its net
	besides  map[*hclspec.Place][]*hclspec.Place // by place: those that may hold its token instead
	came     map[turn][]entry                    // the ways in which a norm comes to a place; nil entries while they are looked for
	begins   map[string][]occasion               // of the phases that wait
	memories map[*hclspec.Event]*hclspec.Party   // the nets that say whether an event has happened, beside those by which one happens once
	calendar duration.Calendar                   // what the contract says of units
	start    time.Time                           // when the contract begins; zero: it is not said
	months   bool                                // days are counted from there in months
	monthly  map[*hclsyntax.Block]int            // of obligations that recur from there by the calendar: every so many months
	timers   map[string]*timer                   // by name; those until days come first
	timing   bool                                // norms have been compiled, and events are being timed
	unit     string                              // of the tick; empty: durations are numbers of ticks
	ownUnit  string                              // the finest unit of durations in the text: unit, or a longer one
	noTick   bool                                // no unit of time divides all durations; it is reported
	finest   string                              // the unit of the tick where all durations are whole numbers of it; empty: the text says
	tick     *hclspec.Event                      // passing of time; nil until something has a duration
	end      *hclspec.Party                      // the net with contract.in_force and contract.ended; nil unless something ends the contract
	ends     []occasion                          // what ends the contract beside norms, for good
	endings  []entry                             // all ways in which it ends, if the contract block says what ends it
	moved    int                                 // moves of norms and timers so far
}

// Dir reads the contract in directory dir of fsys: all its files named *.contract.hcl, in file-name order. Ranges name files as
// path.Join(shown, file). Variables take the values given, or else their defaults. An error means that fsys failed; all mistakes in the text
// are in Diagnostics.
func Dir(fsys fs.FS, dir, shown string, given expr.Values) (*Source, error) {
	return DirUnless(context.Background(), fsys, dir, shown, given, nil)
}

// DirUnless reads like Dir, but returns the Source known if that was read from the same files, name by name and byte by byte. The values given
// must be the same; known may be nil. When the context ends before the text is read, the error is its cause.
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

// source makes the Source from the files read.
func (l *loader) source() *Source {
	partly := len(l.Diags) > 0
	l.build()
	l.Diags = diag.SortUnique(l.Diags)
	l.HintUnread(l.header == nil)
	src := &Source{Diagnostics: l.Diags, Files: l.Content, Index: l.index(), Shown: l.Shown, Overridden: l.Overridden(), given: l.Given, partly: partly, finest: l.finest}
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
		documents: documents{syntax.Names{}, map[string]*hclspec.Document{}, map[string]*hclspec.Party{}},
		came:      map[turn][]entry{}, memories: map[*hclspec.Event]*hclspec.Party{}, monthly: map[*hclsyntax.Block]int{}, timers: map[string]*timer{},
	}
}

// build makes the contract from the files read. A file that cannot be parsed ends it: the names it declares would be reported as unknown.
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
	written := l.Repeat(l.Indices(blocks))
	if l.Full {
		return
	}
	blocks = l.ExpandPhases(written)
	if l.BadIndex || l.Full {
		return
	}
	l.spec.Rounds = l.Rounds
	l.contract(blocks)
	l.declare(blocks, "document", l.documents.named, l.declareDocument) // places refer to them
	l.declareParties(blocks)
	l.connectParties()
	l.declare(blocks, "event", l.events, l.declareEvent)
	l.startPhases(written)
	l.moveDocuments(blocks)
	l.chooseTick(blocks)
	l.declareNorms(blocks)
	l.timeEvents(blocks)
	l.followEvents()
	l.addTime()
	l.declare(blocks, "scenario", l.promises, l.declareScenario) // before the other requirements
	l.declare(blocks, "requirement", l.promises, l.declareRequirement)
	l.declare(blocks, "accept", nil, l.declareAccept)
	l.declare(blocks, "retire", nil, l.declareRetire)
	if !l.Diags.HasErrors() {
		l.refuseEmpty()
	}
}

// declare reads the blocks of a type in their order, those whose names are free in a namespace; nil: their names need not be.
func (l *loader) declare(blocks []*hclsyntax.Block, kind string, names syntax.Names, read func(*hclsyntax.Block)) {
	for _, b := range blocks {
		if b.Type == kind && (names == nil || l.declareOwn(names, b)) {
			read(b)
		}
	}
}

// Text reads a contract from files in memory, by base name. It reads all of them. The limits of Dir apply.
func Text(text map[string][]byte, shown string, given expr.Values) *Source {
	return (&Source{Shown: shown, given: given}).Reread(text)
}

// Reread reads another text in place of the source's own, with the same values given. Unchanged files are not parsed again.
func (s *Source) Reread(text map[string][]byte) *Source {
	l := newLoader(context.Background(), s.Shown, s.given)
	l.finest = s.finest
	l.Before = &syntax.Parsed{Content: s.Files, Bodies: s.bodies}
	if l.ReadMemory(text); len(text) == 0 {
		l.ReportEmpty()
	}
	return l.source()
}

// Origin says where the value of a variable comes from that is given from outside.
func (s *Source) Origin(variable string) string { return s.given[variable].From }

// WithTick reads the source's own text again with a tick of a given unit, unless its durations are no whole numbers of that: then the tick is as before.
func (s *Source) WithTick(unit string) *Source {
	again, text := *s, map[string][]byte{}
	again.finest = unit
	for name, src := range s.Files {
		text[path.Base(name)] = src
	}
	return again.Reread(text)
}

// Limits of Find.
const (
	maxContracts = 100_000 // names under one root
	maxFindDepth = 64      // of directories below the root
)

// passedOver are directories with files of other programs.
var passedOver = []string{".git", ".terraform", "node_modules"}

// Find returns the contracts at or under root, sorted: every directory with an entry named *.contract.hcl, whatever its file type (Dir reports
// a wrong one). Paths are slash-separated and relative to fsys. It follows no symbolic link, and skips .git, .terraform and node_modules. It
// also skips every other repository below root (a directory with a .git entry), since a revision, too, shows a submodule without its files.
// The error names a directory that cannot be listed or is deeper than 64 below root, or says that there are more than 100,000 contracts.
func Find(fsys fs.FS, root string) ([]string, error) {
	var found []string
	if err := findUnder(fsys, root, 0, &found); err != nil {
		return nil, fmt.Errorf("finding contracts under %s: %w", root, err)
	}
	slices.Sort(found)
	return found, nil
}

func findUnder(fsys fs.FS, dir string, depth int, found *[]string) error {
	if depth > maxFindDepth {
		return fmt.Errorf("%s lies more than %d directories deep: start further down", dir, maxFindDepth)
	}
	if !utf8.ValidString(dir) {
		return fmt.Errorf("the directory name %q is not UTF-8: rename it", dir) // io/fs cannot open it
	}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return err
	}
	if depth > 0 && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".git" }) {
		return nil
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return hclspec.IsContractFile(e.Name()) }) {
		if *found = append(*found, dir); len(*found) > maxContracts {
			return fmt.Errorf("more than %d contracts: start further down", maxContracts)
		}
	}
	for _, e := range entries {
		if !e.IsDir() || slices.Contains(passedOver, e.Name()) {
			continue
		}
		if err := findUnder(fsys, path.Join(dir, e.Name()), depth+1, found); err != nil {
			return err
		}
	}
	return nil
}

// Block returns the range of the block, at any depth, that begins where a header does. It returns the header's start, an empty range, if there is
// none, or the text has mistakes.
func (s *Source) Block(header hcl.Range) hcl.Range {
	body := s.bodies[header.Filename]
	for body != nil { // blocks are in the order of the text
		next, same := slices.BinarySearchFunc(body.Blocks, header.Start.Byte, func(b *hclsyntax.Block, at int) int { return b.TypeRange.Start.Byte - at })
		if same {
			return body.Blocks[next].Range()
		}
		if next == 0 {
			break
		}
		body = body.Blocks[next-1].Body
	}
	return hcl.Range{Filename: header.Filename, Start: header.Start, End: header.Start}
}

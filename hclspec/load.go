package hclspec

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
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

// A loader is one Load under way. Its phases: read, scan, parse, shape, variables and locals, elements.
type loader struct {
	ctx           context.Context
	shown         string
	diags         hcl.Diagnostics
	files         map[string][]byte
	like          *Source  // some of the files may be its own; nil: none
	order         []string // shown names of files, sorted by file name
	bodies        []*hclsyntax.Body
	work          int  // bytes that evaluation has been charged so far
	spent         bool // work has gone past its limit, and that is said
	suggest       Suggester
	counterValues int // values of counters so far
	tried         int // combinations of values of counters so far
	trials        int // bytes that evaluating those has been charged

	given     Values // of variables, from outside
	variables map[string]*variable
	self      map[string]cty.Value // what the instance being made calls itself
	nameless  bool                 // whether it is an instance is not known, after a mistake
	locals    map[string]*local
	spec      *Contract
	header    *hclsyntax.Block   // the contract block
	scopes    map[string]*scope  // by Party.Name
	families  map[string]*family // by name in the source
	expanded  int                // what instances and events have been made to hold so far
	found     found
	events    names
	documents documents
	promises  names           // requirements
	looks     map[string]look // names by their skeleton

	norms map[string]*norm
	tick  *Event // that time passes; nil until something has a duration
	end   *Party // the net that says whether the contract has ended; nil where nothing ends it
	moved int    // moves that norms and timers have made so far

	partyNames []string                 // in source order
	dropped    map[string]bool          // names of blocks reported already and left out
	excused    map[*hclsyntax.Body]bool // bodies with an unknown attribute or block: what they lack may be that
	met        map[string]bool          // types of blocks that stand somewhere, even if left out
	told       map[hcl.Range]Prose      // by range of the body it stands in
	referred   map[Reference]bool

	generated map[*hclsyntax.Block]origin           // blocks that phases expanded to
	scopesOf  map[*hclsyntax.Body]map[string]string // what a template's names stand for there
	begins    map[string][]occasion                 // of the phases that wait
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
	l := newLoader(shown)
	l.ctx, l.given = ctx, given
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stopped:
			src, err = nil, r.cause
		default:
			panic(r)
		}
	}()
	if err := l.read(fsys, dir); err != nil {
		return nil, err
	}
	if known != nil && known.Shown == shown && !known.partly && len(l.diags) == 0 && maps.EqualFunc(known.Files, l.files, bytes.Equal) {
		return known, nil
	}
	return l.source(), nil
}

// stopped is what ask panics with, to end a Load wherever it is.
type stopped struct{ cause error }

// ask ends the Load if its context has ended. Whatever is done once for each file, block or instance asks.
func (l *loader) ask() {
	if l.ctx.Err() != nil {
		panic(stopped{context.Cause(l.ctx)})
	}
}

// source is what comes of the files read.
func (l *loader) source() *Source {
	partly := len(l.diags) > 0
	l.build()
	l.diags = sortDiagnostics(l.diags)
	src := &Source{Diagnostics: l.diags, Files: l.files, Index: l.index(), Shown: l.shown, Given: l.given, partly: partly}
	if !l.diags.HasErrors() {
		src.Contract, src.bodies = l.spec, l.byName()
	}
	return src
}

func newLoader(shown string) *loader {
	return &loader{
		ctx:    context.Background(),
		shown:  shown,
		files:  map[string][]byte{},
		spec:   &Contract{},
		locals: map[string]*local{},
		scopes: map[string]*scope{}, families: map[string]*family{}, variables: map[string]*variable{},
		events: names{}, promises: names{}, looks: map[string]look{},
		dropped: map[string]bool{}, excused: map[*hclsyntax.Body]bool{}, met: map[string]bool{},
		told: map[hcl.Range]Prose{}, referred: map[Reference]bool{},
		generated: map[*hclsyntax.Block]origin{}, scopesOf: map[*hclsyntax.Body]map[string]string{}, begins: map[string][]occasion{},
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

// parse returns the top-level blocks of all files in order.
func (l *loader) parse() []*hclsyntax.Block {
	var blocks []*hclsyntax.Block
	count := 0
	for _, name := range l.order {
		body := l.body(name)
		if body == nil {
			continue
		}
		if count += countBlocks(body); count > maxBlocks {
			l.mistake(codeContractTooLarge, fileRange(name), "The contract has too many blocks.",
				"A contract has at most 100,000 blocks; this file goes past it.")
			return nil
		}
		l.bodies = append(l.bodies, body)
		blocks = append(blocks, body.Blocks...)
	}
	return blocks
}

// body parses a file, unless that has been done before; nil where it is not fit to be.
func (l *loader) body(name string) *hclsyntax.Body {
	l.ask()
	src := l.files[name]
	if l.like != nil && l.like.bodies[name] != nil && bytes.Equal(l.like.Files[name], src) {
		return l.like.bodies[name]
	}
	if !l.scan(name, src) {
		return nil
	}
	file, found := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	l.foreign(codeSyntax, firstAtEach(found))
	body := file.Body.(*hclsyntax.Body)
	shortenNumbers(body)
	return body
}

// byName is the bodies by the names of their files, of which each has one where nothing is wrong.
func (l *loader) byName() map[string]*hclsyntax.Body {
	bodies := map[string]*hclsyntax.Body{}
	for i, name := range l.order {
		bodies[name] = l.bodies[i]
	}
	return bodies
}

// firstAtEach keeps the first of several diagnostics on one place: HCL repeats itself in other words.
func firstAtEach(found hcl.Diagnostics) hcl.Diagnostics {
	seen := map[hcl.Pos]bool{}
	return slices.DeleteFunc(found, func(d *hcl.Diagnostic) bool {
		if d.Subject == nil {
			return false
		}
		again := seen[d.Subject.Start]
		seen[d.Subject.Start] = true
		return again
	})
}

func countBlocks(body *hclsyntax.Body) int {
	n := len(body.Blocks)
	for _, b := range body.Blocks {
		n += countBlocks(b.Body)
	}
	return n
}

// fileRange is the very beginning of a file.
func fileRange(name string) hcl.Range {
	return hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
}

package lsp

import (
	"path"
	"sync"
	"sync/atomic"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/load"
)

// A document is a text that is open in the editor. It is immutable; a change makes a new one.
type document struct {
	uri     string
	version int
	text    *buffer
}

// An edition is one contract directory as the editor has it at one moment. It is immutable, and is read on first use.
type edition struct {
	folder *folder
	dir    string
	values expr.Values
	open   map[string]*document // of this directory, by name in the folder
	before *reading             // the last reading that parsed; nil: none did
	read   func() (*reading, error)
	result atomic.Pointer[finding.Result] // nil until the contract has been checked
}

// A reading is the result of reading an edition's text.
type reading struct {
	src      *load.Source
	draft    *compile.Draft
	texts    map[string]*buffer // by name in the folder
	spec     *hclspec.Contract  // the contract, or the last well-formed one; nil: none yet
	mentions func() []mention   // by file, then position
	names    *nameIndex
}

func newEdition(k key, values expr.Values, open map[string]*document, before *reading) *edition {
	e := &edition{folder: k.folder, dir: k.dir, values: values, open: open, before: before}
	e.read = sync.OnceValues(func() (*reading, error) { return e.load(open) })
	return e
}

// load reads the directory, with open documents in place of the files on disk.
func (e *edition) load(open map[string]*document) (*reading, error) {
	src, err := load.Dir(overlay{e.folder.tree, open}, e.dir, e.dir, e.values)
	if err != nil {
		return nil, err
	}
	r := &reading{src: src, draft: compile.Compile(src, e.dir, nil), texts: map[string]*buffer{}}
	for name, content := range src.Files {
		if open[name] == nil {
			r.texts[name] = newBuffer(string(content))
		}
	}
	for name, d := range open {
		r.texts[name] = d.text
	}
	if r.spec = src.Contract; r.spec == nil && e.before != nil {
		r.spec = e.before.spec
	}
	var rounds map[string][]string
	if r.spec != nil {
		rounds = r.spec.Rounds
	}
	r.names = nameAll(src.Index, rounds)
	r.mentions = sync.OnceValue(r.mentioned)
	return r, nil
}

// parsed reports whether the text is grammatical HCL, so that its declarations are known.
func (r *reading) parsed() bool {
	for _, d := range r.src.Diagnostics {
		if diag.CodeOf(d) == "syntax" {
			return false
		}
	}
	return true
}

// around returns a reading for a cursor in unfinished text: of the text as it is; or without the line being written if that keeps it from
// parsing; or the last one that parsed.
func (e *edition) around(name string, at int) (*reading, error) {
	r, err := e.read()
	if err != nil || r.parsed() {
		return r, err
	}
	d := e.open[name]
	line := d.text.position(at).Line
	from, to := d.text.lines[line], len(d.text.src)
	if line+1 < len(d.text.lines) {
		to = d.text.lines[line+1] - 1
	}
	open := map[string]*document{}
	for n, other := range e.open {
		open[n] = other
	}
	open[name] = &document{d.uri, d.version, newBuffer(d.text.src[:from] + d.text.src[to:])}
	without, err := e.load(open)
	if err == nil && !without.parsed() && e.before != nil {
		return e.before, nil
	}
	return without, err
}

// uri returns the editor's URI of a file of the contract.
func (e *edition) uri(name string) string {
	if d := e.open[name]; d != nil {
		return d.uri
	}
	return e.folder.uriOf(name)
}

// isContract reports whether a file belongs to a contract.
func isContract(name string) bool {
	ok, _ := path.Match("*.contract.hcl", path.Base(name))
	return ok
}

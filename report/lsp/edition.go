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

// A document is a text that is open in the editor. It never changes: a change makes another.
type document struct {
	uri     string
	version int
	text    *buffer
}

// An edition is one contract directory as the editor shows it at one moment. It never changes, and
// is read when somebody first asks.
type edition struct {
	folder *folder
	dir    string
	values expr.Values
	open   map[string]*document // of this directory, by name in the folder
	before *reading             // the last one that could be parsed; nil when there was none
	read   func() (*reading, error)
	result atomic.Pointer[finding.Result] // nil until the contract has been checked
}

// A reading is what an edition's text says.
type reading struct {
	src      *load.Source
	draft    *compile.Draft
	texts    map[string]*buffer // by name in the folder
	spec     *hclspec.Contract  // what it means, or meant when it was last well-formed; nil: never yet
	mentions func() []mention   // by file, then position
	names    *namesake
}

func newEdition(k key, values expr.Values, open map[string]*document, before *reading) *edition {
	e := &edition{folder: k.folder, dir: k.dir, values: values, open: open, before: before}
	e.read = sync.OnceValues(func() (*reading, error) { return e.load(open) })
	return e
}

// load reads the directory with some texts in place of the files on disk.
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
	r.names = nameAll(src.Index)
	r.mentions = sync.OnceValue(r.mentioned)
	return r, nil
}

// parsed says whether HCL's grammar has let the text pass, so that what it declares is known.
func (r *reading) parsed() bool {
	for _, d := range r.src.Diagnostics {
		if diag.CodeOf(d) == "syntax" {
			return false
		}
	}
	return true
}

// around returns what is known of the contract where somebody is in the midst of writing: the text
// as it is; or without the line being written, when that keeps it from being parsed; or as it was
// when it last could be.
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

// uri is how the editor names a file of the contract.
func (e *edition) uri(name string) string {
	if d := e.open[name]; d != nil {
		return d.uri
	}
	return e.folder.uriOf(name)
}

// isContract says whether a file belongs to a contract.
func isContract(name string) bool {
	ok, _ := path.Match("*.contract.hcl", path.Base(name))
	return ok
}

package lsp

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/codes"
)

// A key identifies a contract directory of the workspace.
type key struct {
	folder *folder
	dir    string
}

// A contract is a directory with an open document.
type contract struct {
	edition *edition
	cancel  context.CancelFunc      // of the work on the edition
	last    atomic.Pointer[reading] // the last one that could be parsed; nil: none

	busy   sync.Mutex      // held while an edition is worked on; it guards what follows
	shown  map[string]bool // files with published diagnostics
	errors bool            // the diagnostics include errors
}

func dirOf(at string) string { return path.Dir(at) }

// folderOf returns the innermost folder that has a path, and the path's name in it.
func (s *session) folderOf(at string) (*folder, string) {
	var best *folder
	var name string
	for _, f := range s.folders {
		if n, ok := f.within(at); ok && (best == nil || len(f.path) > len(best.path)) {
			best, name = f, n
		}
	}
	return best, name
}

// touch starts a new edition of a file's contract and cancels work on the one before. A contract without open documents is dropped. The
// session must be locked.
func (s *session) touch(conn *jsonrpc2.Conn, at string) {
	f, name := s.folderOf(at)
	if f == nil {
		return
	}
	k := key{f, path.Dir(name)}
	open := s.openIn(k)
	c := s.contracts[k]
	if c == nil && len(open) == 0 {
		return
	}
	if c == nil {
		c = &contract{cancel: func() {}, shown: map[string]bool{}}
		s.contracts[k] = c
	}
	c.cancel()
	if len(open) == 0 {
		delete(s.contracts, k)
	}
	ctx, cancel := context.WithCancel(s.ctx)
	c.cancel = cancel
	c.edition = newEdition(k, s.server.Values, open, c.last.Load())
	e := c.edition
	s.begin(func() {
		defer cancel()
		defer s.guard(conn, &jsonrpc2.Request{Method: "checking " + k.dir, Notif: true})
		s.report(ctx, conn, c, e)
	})
}

// openIn returns the open documents of a contract by their names in the folder.
func (s *session) openIn(k key) map[string]*document {
	open := map[string]*document{}
	for at, d := range s.open {
		if f, name := s.folderOf(at); f == k.folder && path.Dir(name) == k.dir {
			open[name] = d
		}
	}
	return open
}

// renew starts a new edition of every contract, because files on disk may have changed.
func (s *session) renew(conn *jsonrpc2.Conn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	dirs := map[string]string{}
	for at := range s.open {
		dirs[dirOf(at)] = at
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		s.touch(conn, dirs[dir])
	}
	return nil
}

// report publishes the diagnostics of an edition: those of the text at once, verdicts after a pause.
func (s *session) report(ctx context.Context, conn *jsonrpc2.Conn, c *contract, e *edition) {
	c.busy.Lock()
	defer c.busy.Unlock()
	if ctx.Err() != nil {
		return
	}
	if len(e.open) == 0 {
		c.publish(ctx, conn, e, nil)
		return
	}
	r, err := e.read()
	if err != nil {
		s.log(conn, err.Error())
		return
	}
	if r.parsed() {
		c.last.Store(r)
	}
	glance := verify.Check(ctx, r.draft, finding.Budget{States: 1, Engine: finding.Explicit})
	if bad := wrong(glance); bad || c.errors {
		c.publish(ctx, conn, e, e.diagnostics(r, textual(glance)))
		c.errors = bad
	}
	if !wait(ctx, s.server.Pause) {
		return
	}
	result := verify.Check(ctx, r.draft, s.server.Budget)
	if ctx.Err() != nil {
		return
	}
	e.result.Store(result)
	c.publish(ctx, conn, e, e.diagnostics(r, result))
	c.errors = wrong(result)
}

// wait waits, and reports whether ctx lasted.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func wrong(r *finding.Result) bool {
	return slices.ContainsFunc(r.Diagnostics, func(d finding.Diagnostic) bool { return d.Class == codes.Error })
}

// textual returns the part of a result that needs no state model.
func textual(r *finding.Result) *finding.Result { return &finding.Result{Diagnostics: r.Diagnostics} }

// publish publishes diagnostics by file, and clears files that have none any more.
func (c *contract) publish(ctx context.Context, conn *jsonrpc2.Conn, e *edition, found map[string][]diagnostic) {
	if ctx.Err() != nil {
		return
	}
	files := maps.Clone(c.shown)
	for name := range e.open {
		files[name] = true
	}
	for name := range found {
		files[name] = true
	}
	c.shown = map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		p := publishDiagnosticsParams{URI: e.uri(name), Diagnostics: append([]diagnostic{}, found[name]...)}
		if d := e.open[name]; d != nil {
			p.Version = &d.version
		}
		if len(found[name]) > 0 {
			c.shown[name] = true
		}
		_ = conn.Notify(ctx, "textDocument/publishDiagnostics", p)
	}
}

// maxDiagnostics limits the diagnostics of one file.
const maxDiagnostics = 1_000

// diagnostics converts a result to diagnostics by file.
func (e *edition) diagnostics(r *reading, result *finding.Result) map[string][]diagnostic {
	found := map[string][]diagnostic{}
	for i := range result.Requirements {
		if d, ok := ofRequirement(&result.Requirements[i]); ok {
			r.add(found, result.Requirements[i].Source, d)
		}
	}
	for i := range result.Diagnostics {
		if d := &result.Diagnostics[i]; d.Accepted == "" {
			r.add(found, d.Source, ofDiagnostic(d))
		}
	}
	for name, list := range found {
		slices.SortStableFunc(list, func(a, b diagnostic) int {
			return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
		})
		found[name] = list
	}
	return found
}

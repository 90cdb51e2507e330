package lsp

import "path"

// A cursor is a position in an open document, with the contract that it belongs to.
type cursor struct {
	*edition           // nil outside of the workspace
	doc      *document //
	name     string    // of the document, in the folder
	at       int       // offset of the byte after it
	declared bool      // the results of a search for references include the declaration
}

// questions has the requests about a document. Each is answered by itself, from an edition that does not change.
var questions = map[string]func(*cursor) (any, error){
	"textDocument/hover":          known((*cursor).hover),
	"textDocument/definition":     known((*cursor).definition),
	"textDocument/references":     known((*cursor).references),
	"textDocument/completion":     known((*cursor).completion),
	"textDocument/documentSymbol": known((*cursor).symbols),
	"textDocument/formatting":     (*cursor).formatting,
}

// known returns a request's answer, which is empty for a document outside of the workspace.
func known(answer func(*cursor) (any, error)) func(*cursor) (any, error) {
	return func(c *cursor) (any, error) {
		if c.edition == nil {
			return nil, nil
		}
		return answer(c)
	}
}

// where returns the cursor of a request. It returns false if the document is not open.
func (s *session) where(p documentParams) (*cursor, bool) {
	at, _ := pathOf(p.TextDocument.URI)
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.open[at]
	if d == nil {
		return nil, false
	}
	c := &cursor{doc: d, at: d.text.offset(p.Position), declared: p.Context.IncludeDeclaration}
	if f, name := s.folderOf(at); f != nil {
		if known := s.contracts[key{f, path.Dir(name)}]; known != nil {
			c.edition, c.name = known.edition, name
		}
	}
	return c, true
}

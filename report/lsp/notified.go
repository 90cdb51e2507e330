package lsp

import (
	"encoding/json"
	"slices"

	"github.com/sourcegraph/jsonrpc2"
)

// notified handles a notification. It logs and drops one that it cannot read.
func (s *session) notified(conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	s.mu.Lock()
	stage := s.stage
	s.mu.Unlock()
	if req.Method == "exit" {
		s.exit(conn, stage)
		return
	}
	if stage != ready {
		return
	}
	if handle := news[req.Method]; handle != nil {
		if err := handle(s, conn, paramsOf(req)); err != nil {
			s.log(conn, req.Method+": "+err.Error())
		}
	}
}

// news has what handles each notification. The protocol allows us to ignore others.
var news = map[string]func(*session, *jsonrpc2.Conn, json.RawMessage) error{
	"initialized":                         func(s *session, conn *jsonrpc2.Conn, _ json.RawMessage) error { return s.initialized(conn) },
	"textDocument/didOpen":                read((*session).didOpen),
	"textDocument/didChange":              read((*session).didChange),
	"textDocument/didClose":               read((*session).didClose),
	"textDocument/didSave":                func(s *session, conn *jsonrpc2.Conn, _ json.RawMessage) error { return s.renew(conn) },
	"workspace/didChangeWatchedFiles":     read((*session).didChangeOnDisk),
	"workspace/didChangeWorkspaceFolders": read((*session).didChangeFolders),
	"$/cancelRequest":                     read((*session).cancel),
}

// read returns what handles a notification with the parameters that handle takes.
func read[P any](handle func(*session, *jsonrpc2.Conn, P) error) func(*session, *jsonrpc2.Conn, json.RawMessage) error {
	return func(s *session, conn *jsonrpc2.Conn, params json.RawMessage) error {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return err
		}
		return handle(s, conn, p)
	}
}

// exit closes the connection. The specification demands exit status 1 if there was no shutdown request before.
func (s *session) exit(conn *jsonrpc2.Conn, at stage) {
	if at != stopped {
		s.left = errNoShutdown
	}
	_ = conn.Close() // an error means that the editor closed it first
}

func (s *session) initialize(params json.RawMessage) (any, error) {
	var p initializeParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	if len(p.WorkspaceFolders) == 0 && p.RootURI != "" {
		p.WorkspaceFolders = []workspaceFolder{{p.RootURI}}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stage = ready
	s.watches = p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	s.enter(p.WorkspaceFolders)
	s.alone = len(p.WorkspaceFolders) == 0
	return s.server.abilities(), nil
}

func (s Server) abilities() initializeResult {
	var r initializeResult
	r.ServerInfo.Name, r.ServerInfo.Version = "redline", s.Version
	c := &r.Capabilities
	c.PositionEncoding = "utf-16"
	c.TextDocumentSync = syncOptions{OpenClose: true, Change: changeIncremental, Save: true}
	c.CompletionProvider.TriggerCharacters = []string{".", "\"", "(", "[", "{", "=", " "}
	c.HoverProvider, c.DefinitionProvider, c.ReferencesProvider = true, true, true
	c.DocumentSymbolProvider, c.DocumentFormattingProvider = true, true
	c.Workspace.WorkspaceFolders.Supported, c.Workspace.WorkspaceFolders.ChangeNotifications = true, true
	return r
}

// initialized asks the editor to report changes of files on disk, if it can.
func (s *session) initialized(conn *jsonrpc2.Conn) error {
	s.mu.Lock()
	watches := s.watches
	s.mu.Unlock()
	if !watches {
		return nil
	}
	_, err := conn.DispatchCall(s.ctx, "client/registerCapability", registrationParams{[]registration{{
		ID: "files", Method: "workspace/didChangeWatchedFiles",
		RegisterOptions: watchOptions{[]fileWatcher{{"**/*.contract.hcl"}}},
	}}})
	return err
}

func (s *session) shutdown(json.RawMessage) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stage = stopped
	for _, c := range s.contracts {
		c.cancel()
	}
	return nil, nil
}

// enter adds folders of the workspace. It skips those that are not directories.
func (s *session) enter(added []workspaceFolder) {
	for _, w := range added {
		if f := openFolder(w.URI); f != nil {
			s.folders = append(s.folders, f)
		}
	}
}

// settle opens the directory of a file as a folder, if the editor has opened no folder.
func (s *session) settle(at string) {
	if f, _ := s.folderOf(at); f != nil || !s.alone {
		return
	}
	if f := openPath(dirOf(at)); f != nil {
		s.folders = append(s.folders, f)
	}
}

func (s *session) didChangeFolders(conn *jsonrpc2.Conn, p didChangeWorkspaceFoldersParams) error {
	s.mu.Lock()
	for _, w := range p.Event.Removed {
		gone, _ := pathOf(w.URI)
		s.folders = slices.DeleteFunc(s.folders, func(f *folder) bool { return f.path == gone })
	}
	s.enter(p.Event.Added)
	s.alone = s.alone && len(p.Event.Added) == 0
	s.mu.Unlock()
	return s.renew(conn)
}

func (s *session) didOpen(conn *jsonrpc2.Conn, p documentParams) error {
	at, ok := pathOf(p.TextDocument.URI)
	if !ok || !isContract(at) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[at] = &document{p.TextDocument.URI, p.TextDocument.Version, newBuffer(p.TextDocument.Text)}
	s.settle(at)
	s.touch(conn, at)
	return nil
}

func (s *session) didChange(conn *jsonrpc2.Conn, p didChangeParams) error {
	at, _ := pathOf(p.TextDocument.URI)
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.open[at]
	if d == nil {
		return nil
	}
	t := d.text
	for _, c := range p.ContentChanges {
		if t = t.change(c); len(t.src) > maxMessage {
			return errTooLong
		}
	}
	s.open[at] = &document{d.uri, p.TextDocument.Version, t}
	s.touch(conn, at)
	return nil
}

func (s *session) didClose(conn *jsonrpc2.Conn, p documentParams) error {
	at, _ := pathOf(p.TextDocument.URI)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[at] != nil {
		delete(s.open, at)
		s.touch(conn, at)
	}
	return nil
}

func (s *session) didChangeOnDisk(conn *jsonrpc2.Conn, p didChangeWatchedFilesParams) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	touched := map[string]bool{}
	for _, c := range p.Changes {
		if at, ok := pathOf(c.URI); ok && isContract(at) {
			if dir := dirOf(at); !touched[dir] {
				touched[dir] = true
				s.touch(conn, at)
			}
		}
	}
	return nil
}

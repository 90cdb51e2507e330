package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"runtime/debug"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/expr"
)

// A Server is a language server for one editor. The zero Server checks without limits and without delay.
type Server struct {
	Version string         // reported to the editor
	Values  expr.Values    // of the contracts' variables
	Budget  finding.Budget // of each check
	Pause   time.Duration  // without a change, before a contract is checked
}

// errNoShutdown is the error of an editor that exits without a shutdown request.
var errNoShutdown = errors.New("the editor ended without a shutdown request")

// Serve answers messages until the editor exits, the input ends or ctx is done. It returns an error if the editor exits without a shutdown
// request, as the specification demands.
func (s Server) Serve(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &session{server: s, ctx: ctx, contracts: map[key]*contract{}, open: map[string]*document{}, calls: map[jsonrpc2.ID]context.CancelFunc{}}
	conn := jsonrpc2.NewConn(ctx, newWire(in, out, in.Close), t, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	<-conn.DisconnectNotify()
	cancel()
	t.stop()
	return t.left
}

// A session is the state of one connection. Messages are handled in order; slow requests are answered concurrently, from an edition that no
// later message changes.
type session struct {
	server Server
	ctx    context.Context // of the whole session, for what outlives a message
	work   sync.WaitGroup

	mu        sync.Mutex // of all below
	stage     stage
	watches   bool // the editor can report changes of files on disk
	folders   []*folder
	alone     bool                 // no folder is open: a file's directory is one
	open      map[string]*document // by path
	contracts map[key]*contract
	calls     map[jsonrpc2.ID]context.CancelFunc
	left      error
	ended     bool // nothing is begun any more
}

type stage uint8

const (
	fresh   stage = iota // before initialize
	ready                //
	stopped              // after shutdown
)

// Codes that the protocol adds to those of JSON-RPC.
const (
	codeNotInitialized = -32002
	codeCancelled      = -32800
)

// maxCalls limits the requests that are answered at once.
const maxCalls = 64

// Handle processes one message and returns quickly.
func (s *session) Handle(_ context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	defer s.guard(conn, req)
	if req.Notif {
		s.notified(conn, req)
		return
	}
	if err := s.admit(req); err != nil {
		_ = conn.ReplyWithError(s.ctx, req.ID, err) // Serve sees by itself when the connection has ended
		return
	}
	switch req.Method {
	case "initialize":
		s.reply(conn, req, s.initialize)
	case "shutdown":
		s.reply(conn, req, s.shutdown)
	default:
		s.call(conn, req)
	}
}

// guard recovers from a panic, so that a bug does not end the session.
func (s *session) guard(conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	fault := recover()
	if fault == nil {
		return
	}
	message := fmt.Sprintf("a defect of redline, in answering %s: %v", req.Method, fault)
	if !req.Notif {
		_ = conn.ReplyWithError(s.ctx, req.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: message})
	}
	s.log(conn, message+"\n"+string(debug.Stack()))
}

// log writes to the editor's log of the server.
func (s *session) log(conn *jsonrpc2.Conn, message string) {
	_ = conn.Notify(s.ctx, "window/logMessage", logMessageParams{severityError, message})
}

// admit registers a request, or returns why it is not allowed now.
func (s *session) admit(req *jsonrpc2.Request) *jsonrpc2.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, again := s.calls[req.ID]
	switch {
	case again:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "this id is that of a request under way"}
	case len(s.calls) >= maxCalls:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: "too many requests at once"}
	case s.stage == stopped || req.Method == "initialize" && s.stage == ready:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: req.Method + " cannot be asked any more"}
	case s.stage == fresh && req.Method != "initialize":
		return &jsonrpc2.Error{Code: codeNotInitialized, Message: "initialize comes first"}
	}
	return nil
}

// reply answers a request at once.
func (s *session) reply(conn *jsonrpc2.Conn, req *jsonrpc2.Request, answer func(json.RawMessage) (any, error)) {
	result, err := answer(paramsOf(req))
	if err != nil {
		_ = conn.ReplyWithError(s.ctx, req.ID, failure(err))
		return
	}
	_ = conn.Reply(s.ctx, req.ID, result)
}

// call answers a request about a document concurrently with later messages.
func (s *session) call(conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	answer, ok := questions[req.Method]
	if !ok {
		_ = conn.ReplyWithError(s.ctx, req.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: req.Method + " is not supported"})
		return
	}
	var params documentParams
	if err := json.Unmarshal(paramsOf(req), &params); err != nil {
		_ = conn.ReplyWithError(s.ctx, req.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()})
		return
	}
	at, ok := s.where(params)
	if !ok { // not an open document
		_ = conn.Reply(s.ctx, req.ID, nil)
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[req.ID] = cancel
	s.begin(func() {
		defer s.forget(req.ID)
		defer s.guard(conn, req)
		s.reply(conn, req, func(json.RawMessage) (any, error) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			result, err := answer(at)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return result, err
		})
	})
}

// begin does some work concurrently, unless the session has ended: a message may still be handled then, as a failed write ends it, too. The caller
// holds the lock.
func (s *session) begin(work func()) {
	if !s.ended {
		s.work.Go(work)
	}
}

func (s *session) forget(id jsonrpc2.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[id]()
	delete(s.calls, id)
}

func failure(err error) *jsonrpc2.Error {
	var own *jsonrpc2.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, context.Canceled):
		return &jsonrpc2.Error{Code: codeCancelled, Message: "cancelled"}
	}
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
}

func paramsOf(req *jsonrpc2.Request) json.RawMessage {
	if req.Params == nil {
		return json.RawMessage("{}")
	}
	return *req.Params
}

func (s *session) cancel(_ *jsonrpc2.Conn, p cancelParams) error {
	var id jsonrpc2.ID
	if err := json.Unmarshal(p.ID, &id); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.calls[id]; cancel != nil {
		cancel()
	}
	return nil
}

// stop waits for running work, which the session's context has cancelled, and closes the folders.
func (s *session) stop() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.work.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.folders {
		_ = f.shut() // only read from
	}
}

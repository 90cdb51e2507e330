package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// maxMessage limits the size of a message, in bytes: a file of hclspec.MaxFileSize with every character escaped, and some margin.
const maxMessage = 8 << 20

// A wire reads and writes messages of the base protocol: a header with the length, a blank line, the message. It answers malformed messages
// with an error and skips them. Only the end of its input ends it.
type wire struct {
	in    *bufio.Reader
	close func() error

	writing sync.Mutex
	out     io.Writer
}

var _ jsonrpc2.ObjectStream = (*wire)(nil)

func newWire(in io.Reader, out io.Writer, closing func() error) *wire {
	return &wire{in: bufio.NewReader(in), out: out, close: closing}
}

func (w *wire) Close() error { return w.close() }

// ReadObject reads the next message into what v points to.
func (w *wire) ReadObject(v any) error {
	for {
		body, err := w.frame()
		if errors.Is(err, errTooLong) {
			if err := w.refuse(jsonrpc2.CodeInvalidRequest, err); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		malformed := json.Unmarshal(body, v)
		if malformed == nil {
			return nil
		}
		reflect.ValueOf(v).Elem().SetZero() // decoding may have filled it partly
		if err := w.refuse(jsonrpc2.CodeParseError, malformed); err != nil {
			return err
		}
	}
}

// errTooLong reports that a message was skipped unread.
var errTooLong = fmt.Errorf("a message has at most %d bytes", maxMessage)

// frame reads the body of one message, and skips everything that is not a header.
func (w *wire) frame() ([]byte, error) {
	length, err := w.header()
	if err != nil {
		return nil, err
	}
	if length > maxMessage {
		if _, err := io.CopyN(io.Discard, w.in, length); err != nil {
			return nil, err
		}
		return nil, errTooLong
	}
	body, err := io.ReadAll(io.LimitReader(w.in, length)) // takes memory only as the bytes come
	if err == nil && int64(len(body)) < length {
		err = io.ErrUnexpectedEOF
	}
	return body, err
}

// header reads lines up to the blank one after a Content-Length, and returns the length.
func (w *wire) header() (int64, error) {
	length := int64(-1)
	for {
		line, err := w.line()
		if err != nil {
			return 0, err
		}
		if line == "" && length >= 0 {
			return length, nil
		}
		name, value, _ := strings.Cut(line, ":")
		n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		if strings.EqualFold(name, "Content-Length") && err == nil && n >= 0 {
			length = n
		}
	}
}

// line reads a header line. It skips the rest of one that is longer than the buffer.
func (w *wire) line() (string, error) {
	line, err := w.in.ReadSlice('\n')
	for tooLong := false; ; tooLong = true {
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			line, err = w.in.ReadSlice('\n')
			continue
		case err != nil:
			return "", err
		case tooLong:
			return "-", nil
		}
		return strings.TrimRight(string(line), "\r\n"), nil
	}
}

// refuse answers a message without a readable id by an error with the id null (JSON-RPC 2.0, section 5.1).
func (w *wire) refuse(code int64, why error) error {
	type response struct {
		Version string          `json:"jsonrpc"`
		ID      *int            `json:"id"`
		Error   *jsonrpc2.Error `json:"error"`
	}
	return w.WriteObject(response{"2.0", nil, &jsonrpc2.Error{Code: code, Message: why.Error()}})
}

// WriteObject writes one message.
func (w *wire) WriteObject(v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	_, err = fmt.Fprintf(w.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

package pnml

import (
	"fmt"
	"io"
	"strings"
)

// Charset decodes text in the encoding that an XML document declares: UTF-8, or ISO 8859-1, which some nets declare.
func Charset(label string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "utf-8", "us-ascii":
		return r, nil
	case "iso-8859-1", "latin1":
		return &latin1{from: r}, nil
	}
	return nil, fmt.Errorf("the encoding %q is not read; write UTF-8", label)
}

// latin1 converts ISO 8859-1, whose bytes are the first code points, to UTF-8.
type latin1 struct {
	from io.Reader
	left []byte // UTF-8 that has not been read yet
}

func (l *latin1) Read(p []byte) (int, error) {
	if len(l.left) == 0 {
		raw := make([]byte, max(len(p), 1))
		n, err := l.from.Read(raw)
		for _, b := range raw[:n] {
			l.left = append(l.left, string(rune(b))...)
		}
		if n == 0 {
			return 0, err
		}
	}
	n := copy(p, l.left)
	l.left = l.left[n:]
	return n, nil
}

package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/report/result"
)

// pairKey returns the key of a contract's review: the SHA-256 of all that it depends on. It returns "" if the review is not kept.
func (s *Store) pairKey(p engine.Pair, terms result.Terms) string {
	if ill(p.Base) || ill(p.Head) || p.NothingToReview() {
		return ""
	}
	return s.key("review", terms, p.Base, p.Head)
}

// draftKey returns the key of a contract's check, or "" if the check is not kept.
func (s *Store) draftKey(d *compile.Draft, terms result.Terms) string {
	if ill(d) {
		return ""
	}
	return s.key("check", terms, d)
}

// ill reports whether a draft is ill-formed.
func ill(d *compile.Draft) bool { return d != nil && d.Spec == nil }

// key returns a digest of drafts and terms. It leaves out the terms that no verdict depends on: what the gate fails on, the settings, and,
// without a waiver, the day.
func (s *Store) key(what string, terms result.Terms, drafts ...*compile.Draft) string {
	terms.FailOn, terms.Settings = "", ""
	if !slices.ContainsFunc(drafts, func(d *compile.Draft) bool { return d != nil && compare.Waives(d) }) {
		terms.Today = ""
	}
	meant, err := json.Marshal(terms)
	if err != nil {
		panic(err) // cannot happen for numbers and texts
	}
	h := sha256.New()
	fmt.Fprintf(h, "redline cache %d\n%q\n%s %d\n%s\n", result.Format, s.program, what, len(drafts), meant)
	for _, d := range drafts {
		writeTexts(h, d)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// writeTexts writes the path of a draft, and its files by name.
func writeTexts(w io.Writer, d *compile.Draft) {
	if d == nil {
		fmt.Fprint(w, "nothing\n")
		return
	}
	fmt.Fprintf(w, "%q %d\n", d.Path, len(d.Source.Files))
	for _, name := range slices.Sorted(maps.Keys(d.Source.Files)) {
		fmt.Fprintf(w, "%q %d\n", name, len(d.Source.Files[name]))
		_, _ = w.Write(d.Source.Files[name]) // into a digest
	}
}

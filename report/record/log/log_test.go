package log

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/redlinehq/redline/report/record"
)

// stored has the hashes of a tree as package tlog stores them.
type stored []tlog.Hash

func (s stored) ReadHashes(at []int64) (list []tlog.Hash, err error) {
	for _, i := range at {
		if i >= int64(len(s)) {
			return nil, errors.New("no such hash")
		}
		list = append(list, s[i])
	}
	return list, nil
}

// TestRoot holds the root hash to tlog's, which keeps all hashes, at each size.
func TestRoot(t *testing.T) {
	var tree Tree
	var all stored
	for n := range int64(300) {
		text := fmt.Appendf(nil, "entry %d", n)
		tree.Add(text)
		more, err := tlog.StoredHashes(n, text, all)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, more...)
		want, err := tlog.TreeHash(n+1, all)
		if err != nil || tree.Root() != want {
			t.Fatalf("of %d entries: %v, want %v (%v)", n+1, tree.Root(), want, err)
		}
	}
}

func digestOf(t *rapid.T) string {
	return record.Sum([]byte(rapid.StringN(0, 3, 3).Draw(t, "digested")))
}

func hexOf(t *rapid.T) string { return strings.TrimPrefix(digestOf(t), "sha256:") }

// drawnEntry draws an entry that a log can have.
func drawnEntry(t *rapid.T) *Entry {
	if rapid.IntRange(0, 9).Draw(t, "first") == 0 {
		return Genesis(hexOf(t)[:40])
	}
	e := &Entry{Position: rapid.IntRange(1, maxPosition-1).Draw(t, "position"), Previous: digestOf(t)}
	if rapid.Bool().Draw(t, "begins") {
		e.First = hexOf(t)
	}
	for range rapid.IntRange(1, 3).Draw(t, "records") {
		e.Records = append(e.Records, Entered{record.Refs + hexOf(t) + "/" + hexOf(t), digestOf(t), rapid.Bool().Draw(t, "before")})
	}
	return e
}

// TestEntriesAreReadAsTheyAreWritten: what is written is read, and whatever else is read is written the same.
func TestEntriesAreReadAsTheyAreWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawnEntry(t)
		raw := e.Encode()
		again, err := Parse(string(raw))
		if err != nil || !reflect.DeepEqual(again, e) {
			t.Fatalf("%v: %q\n%+v", err, raw, again)
		}
		if at, ok := Position(e.Ref()); !ok || at != e.Position {
			t.Fatalf("%s names position %d", e.Ref(), at)
		}
		at := rapid.IntRange(0, len(raw)).Draw(t, "at")
		to := min(len(raw), at+rapid.IntRange(0, 70).Draw(t, "length"))
		in := rapid.SampledFrom([]string{"", " ", "\n", "0", "-1", "first ", "before", string(raw[at:to]) + string(raw[at:to])}).Draw(t, "in")
		other := string(raw[:at]) + in + string(raw[to:])
		if e, err := Parse(other); err == nil && string(e.Encode()) != other {
			t.Fatalf("%q is read, and written %q", other, e.Encode())
		}
	})
}

func TestNoEntry(t *testing.T) {
	digest, ref := record.Sum(nil), record.Refs+strings.Repeat("a", 64)+"/"+strings.Repeat("b", 64)
	first := "first " + strings.Repeat("c", 40) + "\n"
	for text, want := range map[string]string{
		"":                             "no entry",
		title:                          "not written as redline",
		title + "position 0\n":         "the first entry names",
		title + "position 0\n" + first: "",
		title + "position 0\n" + first + "record " + ref + " " + digest + "\n":                               "the first entry names",
		title + "position 1\n" + first + "record " + ref + " " + digest + "\n":                               "only the first entry",
		title + "position 1\nprevious " + digest + "\n":                                                      "names 0 records",
		title + "position 1\nprevious " + digest + "\nrecord " + ref + " " + digest + "\n":                   "",
		title + "position 01\nprevious " + digest + "\nrecord " + ref + " " + digest + "\n":                  "not written as redline",
		title + "position 1\nprevious " + digest + "\nonce " + ref + " " + digest + "\n":                     "not written as redline",
		title + "position 1\nprevious " + digest + "\nrecord refs/heads/main " + digest + "\n":               "no line",
		title + "position 1\nprevious " + digest + strings.Repeat("\nrecord "+ref+" "+digest, Most+1) + "\n": "names 257 records",
	} {
		if _, err := Parse(text); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.200q: %v, want %q", text, err, want)
		}
	}
	for _, ref := range []string{Refs, Refs + "-1", Refs + "01", Refs + "1/2", Refs + "9999999999", Refs + "x", record.Refs + "1"} {
		if n, ok := Position(ref); ok {
			t.Errorf("%s names position %d", ref, n)
		}
	}
}

// TestCheckpoints: they are found in whatever was written around them, and who signed them is told.
func TestCheckpoints(t *testing.T) {
	alice, mallory := newKey(t), newKey(t)
	keys, err := record.ParseKeys([]byte(alice.Line("alice")+" until=2020-01-01"), "keys")
	if err != nil {
		t.Fatal(err)
	}
	c := Checkpoint{strings.Repeat("ab", 32), 7, tlog.RecordHash(nil)}
	by := func(k *record.Key) string {
		t.Helper()
		raw, err := c.Sign(k)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	quoted := "> " + strings.ReplaceAll(by(alice), "\n", "\r\n> ")
	forged := strings.Replace(by(alice), "\n7\n", "\n8\n", 1)
	src := "Dear all,\n\n" + by(alice) + "\nand\n" + by(mallory) + "\n" + quoted + "\nYours\n" + by(nil) + "\n" + forged
	found, err := FindCheckpoints([]byte(src), "mail", keys)
	if err != nil || len(found) != 5 {
		t.Fatalf("%v: %+v", err, found)
	}
	for i, want := range []Found{{c, "mail:3", record.Accepted, "alice"}, {c, "mail:10", record.Unlisted, ""}, {c, "mail:16", record.Accepted, "alice"}, {c, "mail:23", record.Unsigned, ""},
		{Checkpoint{c.Identity, 8, c.Root}, "mail:27", record.Forged, "alice"}} {
		if found[i] != want {
			t.Errorf("%+v, want %+v", found[i], want)
		}
	}
	for _, no := range []string{"", "nothing\n", origin + "ab\n7\nx\n", origin + c.Identity + "\n07\n" + c.Root.String() + "\n", origin + c.Identity + "\n7", by(nil) + "\n— redline x\n"} {
		if found, err := FindCheckpoints([]byte(no), "mail", keys); err == nil || !strings.HasPrefix(err.Error(), "mail") {
			t.Errorf("%q: %v %+v", no, err, found)
		}
	}
	if strings.Count(by(alice), "\n") != 5 || bytes.ContainsAny([]byte(by(nil)), " \t") {
		t.Errorf("%q %q", by(alice), by(nil))
	}
}

func newKey(t *testing.T) *record.Key {
	t.Helper()
	k, err := record.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

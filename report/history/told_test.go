package history

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
)

// TestSameBytes: a history is told in the same bytes, however often, and however refs come in and are kept.
func TestSameBytes(t *testing.T) {
	r := newRepo(t)
	for i := range 3 {
		r.Commit(deed, gittest.Deal(i, i != 1, ""), "b/x.contract.hcl", gittest.Deal(2-i, true, ""))
		r.attest(nil, nil)
	}
	all := func(r repo) (list []string) {
		for _, format := range []string{"text", "markdown", "html", "json"} {
			list = append(list, r.told(format, r.find(r.query("")), nil))
		}
		_, answer := r.asked("a", false)
		return append(list, answer)
	}
	want := all(r)
	if !slices.Equal(all(r), want) {
		t.Error("told twice, it is another")
	}
	other := r.clone()
	refs := strings.Fields(r.Git("for-each-ref", "--format=%(refname)", record.Refs))
	for _, ref := range refs {
		other.Git("update-ref", "-d", ref)
	}
	slices.Reverse(refs)
	for _, ref := range refs {
		other.Git("fetch", "-q", "origin", ref+":"+ref)
	}
	if !slices.Equal(all(other), want) {
		t.Error("refs came in another order")
	}
	other.Git("gc", "-q")
	if !slices.Equal(all(other), want) {
		t.Error("refs and objects are packed")
	}
}

// TestQuestions: one sentence with the commit, its date and its author.
func TestQuestions(t *testing.T) {
	r := newRepo(t)
	kept := []bool{true, true, false, false, true, true}
	var at []string
	for i, k := range kept {
		at = append(at, short(r.Commit(deed, gittest.Deal(i, k, "")))+" ("+day(r)+", Ada)")
		if i != 3 { // which is not needed
			r.attest(nil, nil)
		}
	}
	_, text := r.asked("a", true)
	if want := "stays holds since commit " + at[4] + "; in the draft before, commit " + at[3] + ", it is violated.\n1 draft without a record was checked for this.\n"; text != want {
		t.Errorf("%s\nnot %s", text, want)
	}
	_, text = r.asked("a", false)
	if want := "Commit " + at[2] + " broke stays: it is violated; in the draft before, commit " + at[1] + ", it holds.\nCommit " + at[4] + " has mended it since.\n"; !strings.HasPrefix(text, want) {
		t.Errorf("%s\nnot %s", text, want)
	}
	q := r.query("a")
	q.Filter.Requirement = "stays"
	h := r.find(q)
	for _, holds := range []bool{true, false} {
		a, err := h.Ask(t.Context(), "stays", holds)
		if err != nil {
			t.Fatal(err)
		}
		doc := r.told("json", h, a)
		valid(t, doc)
		for _, format := range []string{"markdown", "html"} {
			r.says(r.told(format, h, a), "2020-01-0", "Ada")
		}
	}
}

// TestKeepsLittle: of a record next to nothing is kept in memory, however many there are.
func TestKeepsLittle(t *testing.T) {
	const few, many = 200, 2000
	if more := kept(t, many) - kept(t, few); more > 100*(many-few) {
		t.Errorf("%d bytes are kept of each record", more/(many-few))
	}
}

// kept is how many bytes are in use while a history of so many drafts is there.
func kept(t *testing.T, n int) int64 {
	t.Helper()
	dir, head := many(t, n, nil)
	used := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what pools had
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	tell(t, dir, head, nil, &bytes.Buffer{}) // what is made once
	before := used()
	h, err := (&Query{Repo: store.At(dir), Commit: head, Here: "."}).Find(t.Context())
	if err != nil || h.drafts != n {
		t.Fatal(err)
	}
	defer closed(t, h)
	after := used()
	runtime.KeepAlive(h)
	return after - before
}

// TestNoRoom: where nothing can be kept, it is said where.
func TestNoRoom(t *testing.T) {
	r := newRepo(t)
	r.drafts(1)
	nowhere := filepath.Join(r.Dir, "nowhere")
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} { // whichever the system asks
		t.Setenv(name, nowhere)
	}
	if _, err := r.query("").Find(t.Context()); err == nil || !strings.Contains(err.Error(), "temporary file") || !strings.Contains(err.Error(), nowhere) {
		t.Error(err)
	}
}

// FuzzTold: whatever a record says is told, is told as text that nobody obeys, and as JSON that can be read.
func FuzzTold(f *testing.F) {
	s := `{"predicate":{"result":"WARNED","redline":{"path":"a","name":"deal","commit":{"id":"00","author":"A","committed":"2020-01-02T00:00:00Z","subject":"s"},"requirements":[{"name":"r","verdict":"violated","reason":"x","waiver":{"approver":"E","expires":"2020-01-01","state":"in force","reason":"y"}}],"when":{"attested":"2020-01-02T00:00:00Z","previous":{"record":"refs/redline/0/1","digest":"sha256:00"},"change":{"relation":"more","text":["t"],"possible":["p"],"impossible":["i"],"verdicts":[{"name":"r","was":"holds","now":"waived"}]}}}}}`
	f.Add(s, "r", "ada")
	f.Add(strings.ReplaceAll(s, `"E"`, `"\u001b[31m<script>\u202e::error::|`+"`"+`"`), "", "")
	f.Add(`{}`, "", "")
	f.Fuzz(func(t *testing.T, text, requirement, by string) {
		made := &record.Statement{}
		if json.Unmarshal([]byte(text), made) != nil {
			return
		}
		made.Draft().Commit.ID = strings.Repeat("2", 40) // that it is one is a law of records
		r := &store.Record{Ref: record.Refs + digits(0) + "/" + digits(1), Object: strings.Repeat("0", 40), Tree: strings.Repeat("1", 40), Statement: made}
		only := Filter{Requirement: requirement}
		e := (&reader{only: only}).read(store.ReadResult{Name: store.Name{Ref: r.Ref, Object: r.Object}, Record: r})
		e.flags |= isChosen | isNews
		h := &History{drafts: 1, filter: only, several: true, rows: rowsOf(t, e), repo: store.At(".")}
		told := &draftEntry{entries(t, h)[0], noted(noteOf(r.Draft()))}
		var plain, page, mark bytes.Buffer
		if h.table(&plain) != nil || htmlTable(&page, h) != nil || markdownTable(&mark, h) != nil {
			t.Error("a buffer fails")
		}
		if textOf(&plain, told, h) != nil || htmlOf(&page, told, h) != nil || markdownOf(&mark, told, h) != nil {
			t.Error("a buffer fails")
		}
		for _, b := range []*bytes.Buffer{&plain, &page, &mark} {
			if !utf8.Valid(b.Bytes()) || strings.ContainsAny(b.String(), "\x00\x1b\r\u202e\u2066") || strings.Contains(b.String(), "\n::") {
				t.Errorf("%q", b.String())
			}
		}
		if strings.Contains(page.String(), "<script") {
			t.Errorf("%s", page.String())
		}
		if doc := encoded(draftOf(told), ""); !json.Valid(doc) || strings.ContainsFunc(string(doc), func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }) {
			t.Errorf("%s", doc)
		}
	})
}

// TestRenamedAndMoved: a requirement that is called otherwise is neither new nor gone, and a start that moves is told with the behaviour.
func TestRenamedAndMoved(t *testing.T) {
	r := newRepo(t)
	begun := func(day, name string) string {
		text := strings.Replace(gittest.Deal(1, true, ""), "{\n", "{\n  start = \""+day+"\"\n", 1)
		return strings.Replace(text, `"stays"`, `"`+name+`"`, 1)
	}
	for _, text := range []string{begun("2026-01-05", "stays"), begun("2026-01-05", "remains"), begun("2026-02-02", "remains"),
		strings.Replace(begun("2026-02-02", "keeps"), "from = b\n    to   = a", "from = b\n    to   = b", 1)} {
		r.Commit(deed, text)
		r.attest(nil, nil)
	}
	var got []string
	for e := range r.find(r.query("")).entries() {
		got = append(got, e.changed())
	}
	want := []string{"more is possible, and less; 1 verdict changed", "behaviour as before, counted from another start", "behaviour as before", "first record"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	text := r.text("")
	for _, says := range []string{"renamed requirement remains, was stays", "new terms of contract deal", "holds → violated"} {
		if !strings.Contains(text, says) {
			t.Errorf("no %q in\n%s", says, text)
		}
	}
	if strings.Contains(text, "(new)") || strings.Contains(text, "gone") {
		t.Errorf("what is renamed is new or gone:\n%s", text)
	}
}

package history

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
)

// run is the fingerprint of the counterexample that the last record has.
func (r repo) run() string {
	r.Helper()
	run, last := "", entries(r, r.find(r.query("")))[0]
	err := store.At(r.Dir).Read(r.Context(), []store.Name{last.Name}, func(f store.ReadResult) error { run = f.Record.Draft().Requirements[0].Run; return f.Wrong })
	if err != nil || run == "" {
		r.Fatalf("%q, %v", run, err)
	}
	return run
}

// TestWaivers: who waived what until when, from when on, and when that is over.
func TestWaivers(t *testing.T) {
	r := newRepo(t)
	r.Commit(deed, gittest.Deal(0, true, ""))
	r.attest(nil, nil)
	broke := r.Commit(deed, gittest.Deal(0, false, ""))
	r.attest(nil, nil)
	until := r.Day.AddDate(0, 0, 2).Format(dayForm)
	waiver := fmt.Sprintf("  waiver {\n    reason   = \"agreed <b>by phone</b>\"\n    approver = \"Eve\"\n    expires  = %q\n    run      = %q\n  }\n", until, r.run())
	r.Commit(deed, gittest.Deal(0, false, waiver))
	r.attest(nil, nil)
	for range 3 {
		r.Commit(deed, gittest.Deal(1, false, waiver))
		r.attest(nil, nil)
	}
	text := r.text("")
	r.says(text, "verdict stays: violated → waived", "waiver stays: by Eve, until "+until+" (in force): agreed <b>by phone</b>",
		"verdict stays: waived → violated", "waiver stays: by Eve, until "+until+" (expired)")
	if n := strings.Count(text, "waiver stays:"); n != 2 {
		t.Errorf("a waiver is told when it is new and when it is over, not %d times:\n%s", n, text)
	}
	for format, want := range map[string]string{"markdown": "- waiver `stays`: by Eve, until " + until, "html": "agreed &lt;b&gt;by phone&lt;/b&gt;", "json": `"expires": "` + until + `"`} {
		r.says(r.told(format, r.find(r.query("")), nil), want)
	}
	q := r.query("")
	q.Filter.Verdict = waived
	if h := r.find(q); h.drafts == 0 || h.drafts == 6 {
		t.Errorf("%d drafts are waived", h.drafts)
	}
	if _, text := r.asked("", false); !strings.Contains(text, "Commit "+short(broke)) || !strings.Contains(text, "broke stays: it is violated; in the draft before") {
		t.Error(text) // a waiver mends nothing
	}
	valid(t, r.told("json", r.find(r.query("")), nil))
}

// put changes the text of a record, and puts it where it was.
func (r repo) put(ref string, change func(string) string) {
	r.Helper()
	was := gittest.GitIn(r, r.Dir, "", "cat-file", "commit", ref) + "\n"
	now := change(was)
	if now == was {
		r.Fatal("nothing is changed")
	}
	r.Git("update-ref", ref, gittest.GitIn(r, r.Dir, now, "hash-object", "-t", "commit", "--literally", "-w", "--stdin"))
}

// TestSignatures: several keys, one that is replaced by another, one that nobody lists, a forged signature, and records from before there were keys.
func TestSignatures(t *testing.T) {
	r := newRepo(t)
	alice, bob, later, mallory := newKey(t), newKey(t), newKey(t), newKey(t)
	var refs []string
	record1 := func(n int, by *record.Key) {
		r.Commit(deed, gittest.Deal(n, true, ""))
		refs = append(refs, r.attest(by, nil)[0].Ref)
	}
	record1(0, nil)
	record1(1, alice)
	until := r.Day.Format(dayForm)
	for i, key := range []*record.Key{bob, later, alice, mallory, bob, nil} {
		record1(2+i, key)
	}
	keys, err := record.ParseKeys([]byte(strings.Join([]string{alice.Line("alice") + " until=" + until, bob.Line("bob"), later.Line("alice-2")}, "\n")), "keys")
	if err != nil {
		t.Fatal(err)
	}
	r.put(refs[6], func(s string) string {
		head, sig, _ := strings.Cut(s, `"sig": "`)
		other := "A"
		if sig[0] == 'A' {
			other = "B"
		}
		return head + `"sig": "` + other + sig[1:]
	})
	q := r.query("")
	q.Keys = keys
	h := r.find(q)
	all := entries(r, h)
	var got []string
	for _, e := range all {
		got = append(got, e.signedWords())
	}
	want := []string{"unsigned, and keys are listed", "forged signature (bob)", "signed by a key that is not listed", "signed after the key's last day (alice)",
		"signed by alice-2", "signed by bob", "signed by alice", "unsigned; a signed one follows"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q\nnot %q", got, want)
	}
	valid(t, r.told("json", h, nil))
	for _, format := range []string{"text", "markdown", "html"} {
		r.says(strings.ReplaceAll(r.told(format, h, nil), "&#39;", "'"), "signed by alice-2", "forged signature", "signed by a key that is not listed", "signed after the key's last day")
	}
	if e := all[7]; !e.counts { // whoever signed the next one has signed its digest
		t.Error("the unsigned record that a signed one follows does not count")
	}
	for _, e := range all[:4] {
		if e.counts {
			t.Errorf("it counts: %s", e.signedWords())
		}
	}
}

func newKey(t testing.TB) *record.Key {
	t.Helper()
	k, err := record.NewKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

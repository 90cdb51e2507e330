package history

import (
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
)

// TestKeysByPosition: history takes a signature for good where 'redline verify' does. The first record was made before there was a log, the next three are at
// positions 1 to 3, of which the last says an earlier day than it was made on, and the fifth is in no entry yet.
func TestKeysByPosition(t *testing.T) {
	r := newRepo(t)
	alice, bob := newKey(t), newKey(t)
	var refs, days []string
	record1 := func(by *record.Key, back int) {
		r.Commit(deed, gittest.Deal(len(refs), true, ""))
		commit := *r.Day
		*r.Day = r.Day.AddDate(0, 0, -back)
		days = append(days, r.Day.Format(dayForm))
		refs = append(refs, r.attest(by, nil)[0].Ref)
		*r.Day = commit
	}
	r.Git("remote", "add", "origin", "file:///nowhere")
	record1(alice, 0)
	r.Git("remote", "remove", "origin")
	record1(alice, 0)
	record1(bob, 0)
	record1(alice, 2)
	r.Git("remote", "add", "origin", "file:///nowhere")
	record1(alice, 0)
	const good, place, late, unlisted = "signed", "signed outside of the key's positions", "signed after the key's last day", "signed by a key that is not listed"
	for _, c := range []struct{ alice, want string }{
		{"", "signed|signed|signed|signed|signed"},
		{" to=1", strings.Join([]string{good, good, good, place, place}, "|")},
		{" from=2", strings.Join([]string{good, place, good, good, good}, "|")},
		{" from=2 to=3", strings.Join([]string{good, place, good, good, place}, "|")},
		{" until=" + days[1], strings.Join([]string{good, good, good, place, late}, "|")},
		{" to=3 until=" + days[0], strings.Join([]string{good, good, good, good, place}, "|")},
		{"none", strings.Join([]string{unlisted, unlisted, good, unlisted, unlisted}, "|")},
	} {
		list := bob.Line("bob")
		if c.alice != "none" {
			list += "\n" + alice.Line("alice") + c.alice
		}
		keys, err := record.ParseKeys([]byte(list), "keys")
		if err != nil {
			t.Fatal(err)
		}
		q := r.query("")
		q.Keys = keys
		all := entries(t, r.find(q))
		slices.Reverse(all)
		var got, refused []string
		for i, e := range all {
			got = append(got, e.Signed.String())
			if e.Ref != refs[i] {
				t.Fatalf("draft %d is told of %s", i, e.Ref)
			}
			if !e.counts {
				refused = append(refused, e.Ref)
			}
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("alice%s: %q", c.alice, got)
		}
		v := &store.Verification{Repo: store.At(r.Dir), Keys: keys, Tool: "v1", Reading: store.Reading{Budget: finding.Budget{Jobs: 1}}}
		found, err := v.Commit(t.Context(), r.Git("rev-parse", "HEAD"), []string{"a"})
		if err != nil {
			t.Fatal(err)
		}
		var unproven []string
		for _, p := range found.Problems {
			if p.Kind.String() == "unproven" {
				unproven = append(unproven, p.Ref)
			}
		}
		slices.Sort(refused)
		if slices.Sort(unproven); !slices.Equal(refused, unproven) {
			t.Errorf("alice%s: history refuses %q, verify %q", c.alice, refused, unproven)
		}
	}
}

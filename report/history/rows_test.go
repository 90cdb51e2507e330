package history

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
)

func digits(n int) string { return fmt.Sprintf("%064x", n) }

// rowsOf keeps entries.
func rowsOf(t testing.TB, all ...*entry) *rows {
	t.Helper()
	f, err := newRows(&words{numbers: map[string]uint32{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	r := make(row, rowSize)
	for _, e := range all {
		f.pack(r, e)
		if err := f.write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.flush(); err != nil {
		t.Fatal(err)
	}
	return f
}

// drawn are entries of records, in order of their refs. Digests are few and begin alike, so that much is the same; each record follows one that
// was drawn before it, or one that is not there, or another one of its name.
func drawn(t *rapid.T) []*entry {
	digest := rapid.Custom(func(t *rapid.T) string {
		return digits(rapid.IntRange(0, 3).Draw(t, "end")) // eight digits of which are 0
	})
	word := rapid.SampledFrom([]string{"a", "b", "c/d", "", "é"})
	byRef := map[string]*entry{}
	var all []*entry
	for range rapid.IntRange(0, 12).Draw(t, "records") {
		e := &entry{Name: store.Name{Ref: record.Refs + digest.Draw(t, "draft") + "/" + digest.Draw(t, "run"), Object: digest.Draw(t, "object")[24:]}, path: word.Draw(t, "path"),
			contract: word.Draw(t, "name"), commit: digest.Draw(t, "commit"), author: word.Draw(t, "author"), result: "passed", relation: word.Draw(t, "relation"),
			Signature: store.Signature{Signed: record.Signed(rapid.IntRange(0, 4).Draw(t, "signed")), Key: word.Draw(t, "key"), By: word.Draw(t, "by"), Day: word.Draw(t, "day")},
			when:      time.Unix(rapid.Int64Range(0, 3).Draw(t, "when"), 0).In(time.FixedZone("", 60*rapid.IntRange(-720, 720).Draw(t, "zone"))),
			verdicts:  rapid.IntRange(0, 9).Draw(t, "verdicts"), tree: digest.Draw(t, "tree")[24:], asked: word.Draw(t, "asked"),
			waivers: rapid.Uint64Range(0, 2).Draw(t, "waivers"), noted: rapid.Int64Min(0).Draw(t, "noted"), size: rapid.IntRange(0, record.MaxSize).Draw(t, "size"), prior: none}
		if byRef[e.Ref] != nil {
			continue
		}
		e.tie.digest = sum{byte(len(all))}
		switch n := rapid.IntRange(-2, len(all)).Draw(t, "before"); {
		case n < 0:
			e.flags |= isFirst
		case n == len(all):
			e.tie.before = record.Refs + digits(9) + "/" + digest.Draw(t, "lost")
		default:
			e.tie.before, e.tie.named = all[n].Ref, sum{byte(n + rapid.IntRange(0, 4).Draw(t, "other")/4)}
		}
		all, byRef[e.Ref] = append(all, e), e
	}
	slices.SortFunc(all, func(a, b *entry) int { return cmp.Compare(a.Ref, b.Ref) })
	return all
}

// TestRowsAreEntries: what is kept is what was there; and records are linked, counted and put in order as a naive list of them is.
func TestRowsAreEntries(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		all := drawn(rt)
		s := &shelf{rows: rowsOf(t, all...)}
		r := make(row, rowSize)
		for i, e := range all {
			if err := s.at(int32(i), r); err != nil {
				rt.Fatal(err)
			}
			got := s.unpack(r)
			if !got.when.Equal(e.when) || got.when.Format(timeForm) != e.when.Format(timeForm) || r.ref(beforeAt) != e.tie.before && e.tie.before != "" {
				rt.Fatalf("%v %v", got, e)
			}
			want := *e
			want.tie, want.when, want.counts = tie{}, got.when, e.flags.has(isCounted)
			if !reflect.DeepEqual(*got, want) {
				rt.Fatalf("%+v\nnot %+v", *got, want)
			}
		}
		if err := s.link(t.Context(), store.At("none"), nil); err != nil {
			rt.Fatal(err)
		}
		n := naiveOf(all)
		for i, got := range s.states {
			if got.prior != n.prior[i] || got.flags != n.flags[i] || int(got.depth) != n.depth(i) {
				rt.Fatalf("row %d: %+v, not %d, %b, %d", i, got, n.prior[i], n.flags[i], n.depth(i))
			}
		}
		var groups []string
		for _, group := range s.contracts() {
			groups = append(groups, fmt.Sprint(group))
		}
		if want := n.contracts(); !slices.Equal(groups, want) {
			rt.Fatalf("%v\nnot %v", groups, want)
		}
	})
}

// TestNotes: what is told of a draft is read as it was written.
func TestNotes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, texts := rapid.String(), rapid.SliceOfN(rapid.String(), 0, 3)
		d := &record.Draft{Path: text.Draw(t, "path"), Name: text.Draw(t, "name"), Title: text.Draw(t, "title"), Tool: text.Draw(t, "tool"), Requirements: []record.Requirement{}}
		d.Commit = record.Commit{ID: text.Draw(t, "id"), Author: text.Draw(t, "author"), Authored: text.Draw(t, "authored"), Committed: text.Draw(t, "committed"), Subject: text.Draw(t, "subject")}
		d.When.Attested = text.Draw(t, "attested")
		if rapid.Bool().Draw(t, "follows") {
			d.When.Previous = &record.Previous{Record: text.Draw(t, "previous")}
			d.When.Change = &record.Change{Relation: text.Draw(t, "relation"), Reason: text.Draw(t, "reason"), Text: texts.Draw(t, "text"), Possible: texts.Draw(t, "possible"),
				Impossible: texts.Draw(t, "impossible"), Verdicts: []record.VerdictChange{{Name: text.Draw(t, "of"), Was: text.Draw(t, "was"), Now: text.Draw(t, "now")}}}
		}
		for range rapid.IntRange(0, 3).Draw(t, "requirements") {
			q := record.Requirement{Name: text.Draw(t, "name"), Title: text.Draw(t, "title"), Verdict: text.Draw(t, "verdict"), Reason: text.Draw(t, "reason")}
			if rapid.Bool().Draw(t, "waived") {
				q.Waiver = &record.Waiver{Approver: text.Draw(t, "approver"), Reason: text.Draw(t, "reason"), Expires: text.Draw(t, "expires"), Run: text.Draw(t, "run"), State: text.Draw(t, "state")}
			}
			d.Requirements = append(d.Requirements, q)
		}
		if got := noted(noteOf(d)); !reflect.DeepEqual(got, d) {
			t.Fatalf("%+v\nnot %+v", got, d)
		}
	})
}

// A naive list of entries.
type naive struct {
	all   []*entry
	prior []int32
	flags []flags
}

func naiveOf(all []*entry) *naive {
	n := &naive{all: all}
	for _, e := range all {
		at := slices.IndexFunc(all, func(p *entry) bool {
			return !e.flags.has(isFirst) && p.Ref == e.tie.before && p.tie.digest == e.tie.named
		})
		n.prior, n.flags = append(n.prior, int32(at)), append(n.flags, e.flags)
		if (record.Keys{}).Accepts(e.Signed) {
			n.flags[len(n.flags)-1] |= isCounted
		}
		if at < 0 && e.waivers != 0 || at >= 0 && all[at].waivers != e.waivers {
			n.flags[len(n.flags)-1] |= isNews
		}
	}
	for again := true; again; { // until nothing changes
		again = false
		for i, p := range n.prior {
			if p >= 0 && n.flags[i].has(isCounted) && !n.flags[p].has(isCounted) && all[p].Signed == record.Unsigned {
				n.flags[p] |= isCounted | isVouched
				again = true
			}
		}
	}
	return n
}

func (n *naive) depth(i int) int {
	if n.prior[i] < 0 {
		return 1
	}
	return 1 + n.depth(int(n.prior[i]))
}

// contracts are classes of the least number of a row that can be come to, each in order.
func (n *naive) contracts() (list []string) {
	least := make([]int, len(n.all))
	for i := range least {
		least[i] = i
	}
	for again := true; again; {
		again = false
		for i, a := range n.all {
			for j, b := range n.all {
				if (a.path == b.path || n.prior[i] == int32(j) || n.prior[j] == int32(i)) && least[j] < least[i] {
					least[i], again = least[j], true
				}
			}
		}
	}
	for c := range n.all {
		var group []int32
		for i, of := range least {
			if of == c {
				group = append(group, int32(i))
			}
		}
		slices.SortFunc(group, func(i, j int32) int {
			a, b := n.all[i], n.all[j]
			return cmp.Or(b.when.Compare(a.when), cmp.Compare(n.depth(int(j)), n.depth(int(i))), cmp.Compare(a.path, b.path), cmp.Compare(a.Ref, b.Ref))
		})
		if group != nil {
			list = append(list, fmt.Sprint(group))
		}
	}
	return list
}

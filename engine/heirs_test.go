package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/hclspec"
)

// draftsWith are drafts as "where=name:event,event", blank-separated, that mean the same if nothing but where they are differs. A ! at the end is a change of meaning.
func draftsWith(side, list string) []*compile.Draft {
	drafts := draftsNamed(list)
	for i, one := range strings.Fields(list) {
		d := drafts[i]
		d.Unnamed = side + d.Path
		if d.Spec == nil {
			continue
		}
		_, d.Digest, _ = strings.Cut(one, "=")
		name, events, _ := strings.Cut(strings.TrimSuffix(d.Digest, "!"), ":")
		d.Spec = &hclspec.Contract{Name: name}
		for _, event := range strings.Split(events, ",") {
			d.Spec.Events = append(d.Spec.Events, &hclspec.Event{Name: event})
		}
	}
	return drafts
}

// TestHeirs: a new contract is an heir of the contract whose name or most of whose parts it has, unless that one is unchanged in its place, or several could be meant.
func TestHeirs(t *testing.T) {
	for _, c := range []struct{ name, base, head, want string }{
		{"nothing new", "a=n:1,2", "a=n:1", ""},
		{"nothing of it, where one goes and one comes", "a=n:1", "z=m:9", ""},
		{"its name", "a=n:1,2,3", "a=n:1,2,3! z=n:9", "z<a"},
		{"its name, and it is unchanged", "a=n:1,2,3", "a=n:1,2,3 z=n:1,2,3!", ""},
		{"its name, which two have", "a=n:1,2 b=n:3,4", "a=n:1 b=n:3 z=n:9", ""},
		{"its name, which two had, and one is unchanged", "a=n:1,2 b=n:3,4", "a=n:1,2 b=n:3 z=n:9", ""},
		{"its name, which two new ones have", "a=n:1,2", "y=n:1 z=n:2", ""},
		{"most of it", "a=n:1,2,3,4", "a=n:1 z=m:2,3,4", "z<a"},
		{"half of it", "a=n:1,2,3,4", "a=n:1 z=m:2,3", ""},
		{"no more of it than what is in its place", "a=n:1,2,3,4", "a=n:1,2,3 z=m:1,2,4", ""},
		{"more of it than what is in its place, and less than half", "a=n:1,2,3,4,5", "a=n:1 z=m:2,3", ""},
		{"the most", "a=n1:1,2,a b=n2:1,2,3,b c=n3:1,2,c d=n4:1,2,d e=n5:1,2,e f=n6:1,2,f", "a=n1:9 b=n2:9 c=n3:9 d=n4:9 e=n5:9 f=n6:9 z=q:1,2,3", "z<b"},
		{"as much, and the first", "a=n1:1,2,a b=n2:1,2,b c=n3:1,2,c d=n4:1,2,d e=n5:1,2,e f=n6:1,2,f", "a=n1:9 b=n2:9 c=n3:9 d=n4:9 e=n5:9 f=n6:9 z=q:1,2", "z<a"},
		{"one beside what is ill-formed", "a b=n:1,2", "a b=n:1 z=n:9", "z<b"},
		{"its name, and what is in its place is ill-formed", "a=n:1,2", "a z=n:9", "z<a"},
		{"most of it, and what is in its place is ill-formed", "a=n:1,2", "a z=m:1,2", ""},
		{"what was there takes another's name", "a=n:1,2 b=m:3,4", "a=n:1 b=n:3 z=q:9", ""},
	} {
		before, _ := matched(draftsWith("base", c.base), draftsWith("head", c.head))
		var got []string
		for _, path := range slices.Sorted(maps.Keys(before)) {
			if d := before[path]; d.Path != path {
				got = append(got, path+"<"+d.Path)
			}
		}
		if said := strings.Join(got, " "); said != c.want {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
	}
}

// TestPartNames: a contract has its parties, their places and transitions, and its events.
func TestPartNames(t *testing.T) {
	text := "contract \"c\" {}\nparty \"a\" {\n  state \"s\" {}\n  state \"u\" {}\n  transition \"t\" {\n    from = s\n    to   = u\n  }\n}\nevent \"e\" { sync = { a = t } }\n"
	drafts, err := Tree{FS: fstest.MapFS{"c.contract.hcl": &fstest.MapFile{Data: []byte(text)}}, Root: "."}.Drafts(t.Context(), nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(slices.Sorted(maps.Keys(partNames(drafts[0])))), "[event e net a place a.s place a.u transition a.t]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestStays: a contract is still in its place if it is on both sides there, well-formed, and has all its parts.
func TestStays(t *testing.T) {
	for _, c := range []struct {
		base, head string
		want       bool
	}{
		{"a=n:1,2", "a=n:1,2", true}, {"a=n:1,2", "a=m:1,2,3", true}, {"a=n:1,2", "a=n:1,3", false}, {"a=n:1,2", "b=n:1,2", false},
		{"a=n:1,2", "a", false}, {"a", "a=n:1,2", false}, {"a=n:1", "", false}, {"", "a=n:1", false},
	} {
		side := func(list string) *compile.Draft { return append(draftsWith("", list), nil)[0] }
		if got := (Pair{side(c.base), side(c.head)}).stays(); got != c.want {
			t.Errorf("%s, now %s: %t", c.base, c.head, got)
		}
	}
}

// TestSwappedPlaces: what is where something was is compared with that, though it means the same as what was elsewhere.
func TestSwappedPlaces(t *testing.T) {
	base, head := draftsWith("", "a=n:1 b=m:2"), draftsWith("", "a=m:2 b=n:1")
	base[0].Unnamed, base[1].Unnamed, head[0].Unnamed, head[1].Unnamed = "n", "m", "m", "n"
	before, after := compare.ByPath(base), compare.ByPath(head)
	if compare.RekeyMoved(before, after); before["a"] != base[0] || before["b"] != base[1] {
		t.Errorf("%+v", before)
	}
}

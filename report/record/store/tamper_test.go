package store

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/redlinehq/redline/report/record"
)

// rounds is how often something random is done: fully only with REDLINE_HEAVY, because it takes minutes.
func rounds(all, few int) int {
	if os.Getenv("REDLINE_HEAVY") != "" {
		return all
	}
	return few
}

// A vault is a repository with a chain of records, and somebody who changes them.
type vault struct {
	repo
	rnd     *rand.Rand
	names   []Name // in the order in which they were made
	records map[string]*Record
	entries []*logged
	replays []Name // records of the same names that were made at another time, and signed by who may
	alice   *record.Key
	mallory *record.Key
	keys    record.Keys
}

func newVault(t *testing.T, signed bool, seed uint64) *vault {
	v := &vault{repo: newRepo(t), rnd: rand.New(rand.NewPCG(seed, 7)), mallory: newKey(t)}
	var by []func(*Attestation)
	if signed {
		v.alice = newKey(t)
		v.keys = keysOf(t, v.alice.Line("alice"))
		by = append(by, signedBy(v.alice), func(a *Attestation) { a.Keys = v.keys })
	}
	for i := range 5 {
		v.Commit("a/x.contract.hcl", deal(i, i%2 == 0), "b/x.contract.hcl", deal(i/2, true))
		for _, k := range v.attest("HEAD", by...) {
			if k.New {
				v.names = append(v.names, Name{k.Ref, k.object})
			}
		}
	}
	v.records = v.repo.records()
	if l, err := At(v.Dir).log(t.Context()); err != nil || len(l.entries) < 5 {
		t.Fatal(err, l)
	} else {
		v.entries = l.entries
	}
	for _, n := range v.names { // the same finding at another time: what stood there once, and was replaced
		r := *v.records[n.Ref]
		s := *r.Statement
		s.Predicate.Draft.When.Attested = "2026-03-30T12:00:00Z"
		r.Statement = &s
		_, r.signature = record.Wrap(&s, v.alice)
		v.replays = append(v.replays, Name{n.Ref, v.write(r.object())})
	}
	v.fine(v.look())
	return v
}

func (v *vault) look() *Report {
	return v.verify("HEAD", func(x *Verification) { x.Keys = v.keys })
}

func (v *vault) write(raw []byte) string {
	return v.GitIn(string(raw), "hash-object", "-t", "commit", "--literally", "-w", "--stdin")
}

func (v *vault) any() Name { return v.names[v.rnd.IntN(len(v.names))] }

func (v *vault) raw(n Name) []byte {
	return v.records[n.Ref].object()
}

// Each way of tampering returns the ref that has to be named.
var tamperings = map[string]func(*vault) string{
	"a flipped byte, under its name": func(v *vault) string {
		n := v.any()
		v.Git("update-ref", n.Ref, v.write(v.flip(v.raw(n))))
		return n.Ref
	},
	"a flipped byte, in the object": func(v *vault) string {
		n := v.any()
		name := filepath.Join(v.Dir, ".git", "objects", n.Object[:2], n.Object[2:])
		was, err := os.ReadFile(name)
		if err != nil {
			v.Fatal(err)
		}
		var z bytes.Buffer
		w := zlib.NewWriter(&z)
		raw := v.flip(v.raw(n))
		fmt.Fprintf(w, "commit %d\x00%s", len(raw), raw)
		w.Close()
		v.overwrite(name, z.Bytes())
		undo = append(undo, func() { v.overwrite(name, was) })
		return n.Ref
	},
	"a flipped byte of what no name covers": func(v *vault) string {
		n := v.any()
		r := *v.records[n.Ref]
		s := *r.Statement
		s.Predicate.Draft.When.Attested = fmt.Sprintf("2026-03-31T12:00:%02dZ", 1+v.rnd.IntN(59))
		r.Statement = &s
		v.Git("update-ref", n.Ref, v.write(r.object()))
		return n.Ref
	},
	"moved to another draft": func(v *vault) string {
		n, m := v.two()
		v.Git("update-ref", n.Ref, m.Object)
		return n.Ref
	},
	"moved to another name": func(v *vault) string {
		n := v.any()
		to := record.Refs + v.hex() + "/" + v.hex()
		v.Git("update-ref", "-d", n.Ref)
		v.Git("update-ref", to, n.Object)
		undo = append(undo, func() { v.Git("update-ref", "-d", to) })
		return n.Ref
	},
	"rewritten for another draft": func(v *vault) string { // whole and consistent, but for the commit and the key
		n, m := v.two()
		for v.records[n.Ref].Draft().Path != "a" || v.records[m.Ref].Draft().Path != "a" { // of which every commit has another draft
			n, m = v.two()
		}
		r, d := *v.records[n.Ref], *v.records[m.Ref]
		s := *r.Statement
		s.Predicate.Draft.Commit = d.Draft().Commit
		return v.put(r, s)
	},
	"another verdict": func(v *vault) string {
		n := v.any()
		r := *v.records[n.Ref]
		s := *r.Statement
		s.Predicate.Draft.Requirements = slices.Clone(s.Predicate.Draft.Requirements)
		q := &s.Predicate.Draft.Requirements[0]
		q.Verdict = map[string]string{"holds": "violated", "violated": "holds"}[q.Verdict]
		sums := record.Outcome(&s.Predicate.Draft)
		sums.Draft, sums.Configuration = s.Predicate.Draft, s.Predicate.Configuration
		s.Predicate = sums
		v.Git("update-ref", "-d", n.Ref)
		v.put(r, s)
		return n.Ref
	},
	"a flipped byte, in an entry of the log": func(v *vault) string {
		e := v.entries[v.rnd.IntN(len(v.entries))]
		head, text, _ := bytes.Cut(entryCommit(e.Entry, len(e.Object), e.parents), []byte("\n\n")) // git takes no commit whose head is spoiled
		v.Git("update-ref", e.Name.Ref, v.write(slices.Concat(head, []byte("\n\n"), v.flip(text))))
		undo = append(undo, func() { v.Git("update-ref", e.Name.Ref, e.Object) })
		return e.Name.Ref
	},
	"another entry in its place": func(v *vault) string { // whole and consistent, but for what follows it, and what it names
		e := v.entries[1+v.rnd.IntN(len(v.entries)-1)]
		other := *e.Entry
		other.Records = slices.Clone(other.Records)
		n := v.any()
		for n.Ref == e.Records[0].Ref {
			n = v.any()
		}
		other.Records[0].Ref, other.Records[0].Digest = n.Ref, v.records[n.Ref].Digest()
		parents := slices.Clone(e.parents)
		parents[1] = n.Object
		v.Git("update-ref", e.Name.Ref, v.write(entryCommit(&other, len(e.Object), parents)))
		undo = append(undo, func() { v.Git("update-ref", e.Name.Ref, e.Object) })
		return e.Name.Ref
	},
	"removed": func(v *vault) string {
		n := v.any()
		v.Git("update-ref", "-d", n.Ref)
		return n.Ref
	},
	"a forged signature": func(v *vault) string {
		n := v.any()
		r := *v.records[n.Ref]
		key := v.mallory
		_, r.signature = record.Wrap(r.Statement, key)
		if r.keyID == "" || v.rnd.IntN(2) == 0 {
			r.keyID = key.ID() // and says so
		}
		r.Ref = n.Ref
		v.Git("update-ref", n.Ref, v.write(r.object()))
		return n.Ref
	},
	"a replayed old record": func(v *vault) string {
		n := v.replays[v.rnd.IntN(len(v.replays))]
		v.Git("update-ref", n.Ref, n.Object)
		return n.Ref
	},
	"another draft in its tree": func(v *vault) string {
		n, m := v.two()
		r := *v.records[n.Ref]
		if r.Tree == v.records[m.Ref].Tree {
			r.Tree = v.Git("mktree", "--missing")
		} else {
			r.Tree = v.records[m.Ref].Tree
		}
		v.Git("update-ref", n.Ref, v.write(r.object()))
		return n.Ref
	},
	"another record before it": func(v *vault) string {
		n, m := v.two()
		r := *v.records[n.Ref]
		r.Parent = m.Object
		if v.records[n.Ref].Parent == m.Object {
			r.Parent = ""
		}
		v.Git("update-ref", n.Ref, v.write(r.object()))
		return n.Ref
	},
}

var undo []func()

func (v *vault) overwrite(name string, data []byte) {
	if err := os.Remove(name); err != nil { // git's objects are read-only
		v.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o444); err != nil {
		v.Fatal(err)
	}
}

// put writes a record that is changed in itself consistently, under the name it has then.
func (v *vault) put(r Record, s record.Statement) string {
	r.Statement = &s
	if r.keyID != "" { // whoever changes it has not alice's key
		_, r.signature = record.Wrap(&s, v.mallory)
	}
	ref := s.Ref(r.keyID)
	v.Git("update-ref", ref, v.write(r.object()))
	undo = append(undo, func() { v.Git("update-ref", "-d", ref) })
	return ref
}

func (v *vault) two() (n, m Name) {
	n = v.any()
	for m = n; m == n; {
		m = v.any()
	}
	return n, m
}

func (v *vault) flip(raw []byte) []byte {
	raw = slices.Clone(raw)
	raw[v.rnd.IntN(len(raw))] ^= 1 << v.rnd.IntN(8)
	return raw
}

func (v *vault) hex() string { return strings.Repeat(fmt.Sprintf("%016x", v.rnd.Uint64()), 4) }

// restore puts everything back.
func (v *vault) restore() {
	for _, u := range undo {
		u()
	}
	undo = nil
	var in strings.Builder
	for _, n := range v.names {
		fmt.Fprintf(&in, "update %s %s\n", n.Ref, n.Object)
	}
	v.GitIn(in.String(), "update-ref", "--stdin")
}

// TestTampering: whatever somebody changes is found, and the record that it was is named.
func TestTampering(t *testing.T) {
	var ways []string
	for name := range tamperings {
		ways = append(ways, name)
	}
	slices.Sort(ways)
	seed := uint64(1)
	if text := os.Getenv("REDLINE_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	done := map[string]int{}
	for _, signed := range []bool{true, false} {
		v := newVault(t, signed, seed)
		for i := range rounds(500, len(ways)) {
			way := ways[i%len(ways)]
			ref := tamperings[way](v)
			found := v.look()
			if !slices.ContainsFunc(found.Problems, func(p problem) bool { return p.Kind != Unsettled && (p.Ref == ref || strings.Contains(p.What, ref)) }) {
				t.Errorf("signed %t, round %d: %s at %s is not named: %+v", signed, i, way, ref, found.Problems)
			}
			v.restore()
			done[way]++
			if i%100 == 99 || t.Failed() {
				t.Logf("signed %t: %d rounds", signed, i+1)
				if v.fine(v.look()); t.Failed() {
					return
				}
			}
		}
	}
	t.Log(done)
}

package certificate_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/certificate"
	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// accepted reports whether the checker accepts; that it finds a limit, or panics, is no answer.
func accepted(t *rapid.T, c *checker.Certificate, p checker.Problem, f *ctl.Formula) bool {
	err := checker.Check(context.Background(), c, p, f, limits)
	var refused *checker.Refusal
	if err != nil && !errors.As(err, &refused) {
		t.Fatalf("%s: neither accepted nor refused: %v", f.CTL(), err)
	}
	if refused != nil && refused.Error() == "" {
		t.Fatal("refused without a reason")
	}
	return err == nil
}

// TestNothingFalseIsAccepted changes certificates of true claims in every way a file can be changed, asks them of other claims and other
// nets, and wants each that is accepted to be true by package naive.
func TestNothingFalseIsAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, f := drawCase(t)
		other, g := drawCase(t)
		if c == nil {
			return
		}
		proof, err := certificate.FromGraph(context.Background(), verdict(c, f, truth(c, f)), c.graph)
		if err != nil {
			t.Fatal(err)
		}
		must := func(forged *checker.Certificate, on *netCase, f *ctl.Formula) {
			if accepted(t, forged, on.Problem, f) && truth(on, f) != forged.Holds {
				t.Fatalf("%s, as %t, is accepted, and is not so\n%s", f.CTL(), forged.Holds, describe(on))
			}
		}
		for range 20 {
			must(forge(t, proof), c, f)
		}
		turned := copyOf(proof)
		turned.Holds = !turned.Holds
		must(turned, c, f)
		must(proof, c, drawFormula(t, len(c.Net.Places), 2))
		if other != nil && len(other.Net.Places) == len(c.Net.Places) {
			must(proof, other, f)
			must(proof, other, g)
		}
	})
}

func copyOf(c *checker.Certificate) *checker.Certificate {
	d := *c
	d.Nodes = slices.Clone(c.Nodes)
	d.Sets = make([][]checker.Ring, len(c.Sets))
	for i, rings := range c.Sets {
		d.Sets[i] = slices.Clone(rings)
	}
	return &d
}

// forge changes a certificate in one to three places: verdict, sets, rings, nodes.
func forge(t *rapid.T, c *checker.Certificate) *checker.Certificate {
	d := copyOf(c)
	set := rapid.IntRange(0, len(d.Nodes)+1)
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		kind := rapid.IntRange(0, 6).Draw(t, "kind")
		if kind == 0 {
			d.Holds = !d.Holds
			continue
		}
		if kind == 1 && len(d.Nodes) > 0 {
			n := &d.Nodes[rapid.IntRange(0, len(d.Nodes)-1).Draw(t, "node")]
			n.Low, n.High = n.High, n.Low
			if n.High == checker.None {
				n.High = checker.Blank
			}
			continue
		}
		if len(d.Sets) == 0 {
			continue
		}
		rings := &d.Sets[rapid.IntRange(0, len(d.Sets)-1).Draw(t, "claim")]
		at := rapid.IntRange(0, len(*rings)).Draw(t, "ring")
		switch {
		case kind == 2 || at == len(*rings):
			*rings = slices.Insert(*rings, at, checker.Ring{Set: checker.Node(set.Draw(t, "set")), Actor: rapid.IntRange(-1, 1).Draw(t, "actor")})
		case kind == 3:
			*rings = slices.Delete(*rings, at, at+1)
		case kind == 4:
			(*rings)[at].Set = checker.Node(set.Draw(t, "set"))
		case kind == 5:
			(*rings)[at].Actor = rapid.IntRange(-1, 1).Draw(t, "actor")
		case at > 0:
			(*rings)[at], (*rings)[at-1] = (*rings)[at-1], (*rings)[at]
		}
	}
	return d
}

// TestAnySetsProveNothingFalse claims anything of small nets with any sets at all.
func TestAnySetsProveNothingFalse(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawNet(t, petri.One)
		if c == nil || c.graph.Len() > 12 {
			return
		}
		f := drawFormula(t, len(c.Net.Places), 2)
		if rapid.Bool().Draw(t, "each") {
			f = drawEach(t, len(c.Net.Places))
		}
		right := truth(c, f)
		for range 30 {
			proof := anySets(t, c, f, rapid.Bool().Draw(t, "holds"))
			if !accepted(t, proof, c.Problem, f) {
				continue
			}
			if found++; proof.Holds != right {
				t.Fatalf("%s, as %t, is accepted, and is not so: %+v\n%s", f.CTL(), proof.Holds, proof, describe(c))
			}
		}
	})
	if found < 100 {
		t.Errorf("only %d of any sets were accepted: this test tests little", found)
	}
}

// anySets makes up to three rings of each claim, each of some reachable markings.
func anySets(t *rapid.T, c *netCase, f *ctl.Formula, holds bool) *checker.Certificate {
	order := make([]int, len(c.Net.Places))
	for i := range order {
		order[i] = i
	}
	forest := checker.NewForest(context.Background(), order, 0)
	proof := &checker.Certificate{Holds: holds, Order: order}
	most := checker.Blank
	choice := rapid.Uint16()
	if rapid.Bool().Draw(t, "few") { // so that claims have sets in common
		choice = rapid.SampledFrom([]uint16{choice.Draw(t, "a"), choice.Draw(t, "b"), choice.Draw(t, "c")})
	}
	for _, claim := range checker.Claims(f, holds, len(c.Acts) > 0) {
		if !claim.Kind.Temporal() {
			continue
		}
		var rings []checker.Ring
		for range rapid.IntRange(1, 3).Draw(t, "rings") {
			var some []petri.Marking
			chosen := choice.Draw(t, "states")
			for s := range c.graph.Len() {
				if chosen>>s&1 != 0 {
					some = append(some, c.graph.Marking(s))
				}
			}
			set := forest.Set(some)
			most = max(most, set)
			rings = append(rings, checker.Ring{Set: set, Actor: rapid.IntRange(-1, len(c.Acts)-1).Draw(t, "actor")})
		}
		proof.Sets = append(proof.Sets, rings)
	}
	for n := checker.Blank + 1; n <= most; n++ {
		level, low, high := forest.Parts(n)
		proof.Nodes = append(proof.Nodes, checker.Part{Level: level, Low: low, High: high})
	}
	return proof
}

// TestFlippedBytes changes every byte of files: each is no certificate; and with its checksum set right it is none, or
// refused, or still of a true claim.
func TestFlippedBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, f := drawCase(t)
		if c == nil {
			return
		}
		right := truth(c, f)
		proof, err := certificate.FromGraph(context.Background(), verdict(c, f, right), c.graph)
		if err != nil {
			t.Fatal(err)
		}
		data := checker.Encode(proof)
		body := data[:len(data)-sha256.Size]
		for i := range data {
			flipped := slices.Clone(data)
			flipped[i] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			if _, err := checker.Decode(flipped); !errors.Is(err, checker.ErrIllFormed) {
				t.Fatalf("byte %d of %d flipped: %v", i, len(data), err)
			}
			if i >= len(body) {
				continue
			}
			sum := sha256.Sum256(flipped[:len(body)])
			forged, err := checker.Decode(append(flipped[:len(body)], sum[:]...))
			if err == nil && accepted(t, forged, c.Problem, f) && forged.Holds != right {
				t.Fatalf("byte %d flipped: %s, as %t, is accepted, and is not so", i, f.CTL(), forged.Holds)
			}
		}
	})
}

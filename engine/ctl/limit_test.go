package ctl_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
)

// TestLimit: a formula that needs more sets than allowed is an error; looking for what makes no
// difference needs as many again at most, however many atoms it tries.
func TestLimit(t *testing.T) {
	var atoms []string
	for i := range 200 {
		atoms = append(atoms, fmt.Sprintf("EX p%d", i))
	}
	f, err := ctl.Parse("AG (true || " + strings.Join(atoms, " || ") + ")")
	if err != nil {
		t.Fatal(err)
	}
	for atom := range f.Atoms() {
		fmt.Sscanf(atom.Name, "p%d", &atom.Place)
	}
	const needed = 3*200 + 2 // an atom, its EX and the || before it, true and AG
	for limit, want := range map[int]error{needed - 1: ctl.ErrTooManySets, needed: nil, 0: nil} {
		c := ctl.New(ring{n: 300})
		c.LimitSets(limit)
		if _, err := c.Holds(context.Background(), f); !errors.Is(err, want) {
			t.Errorf("limit %d: %v, want %v", limit, err, want)
		}
	}
	c := ctl.New(ring{n: 300})
	c.LimitSets(2 * needed)
	if found, err := c.Vacuous(context.Background(), f); err != nil || len(found) == 0 {
		t.Errorf("%d remarks, %v", len(found), err)
	}
}

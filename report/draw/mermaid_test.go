package draw

import (
	"regexp"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// TestOneColumnForEachPerson: a party of a phase is drawn as the party outside of it that has its name and its title. Another of that name has a column of its own.
func TestOneColumnForEachPerson(t *testing.T) {
	run := []finding.Firing{
		{Step: 1, Title: "both sign", Parties: []string{"first", "second"}, Called: []string{"Acme", "Brook"}},
		{Step: 2, Title: "it is disclosed", Parties: []string{"from-1.first", "from-1.second"}, Called: []string{"Acme (from-1)", "Brook (from-1)"}},
		{Step: 3, Title: "Cole leaves", Parties: []string{"from-2.second"}, Called: []string{"Cole (from-2)"}},
	}
	got := SequenceDiagram(&finding.Trace{Prefix: run}, nil)
	columns := strings.Join(regexp.MustCompile(`participant .*`).FindAllString(got, -1), "; ")
	if columns != "participant p0 as Acme; participant p1 as Brook; participant p2 as Cole #40;from#45;2#41;" || !strings.Contains(got, "p0->p1: 2. it is disclosed") {
		t.Error(got)
	}
}

package explain_test

import (
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestWhoOnlyActsHasNoState: a role without states is in no state, also while its phase waits, and that the phase begins is no change of it.
func TestWhoOnlyActsHasNoState(t *testing.T) {
	src := load.Text(map[string][]byte{"c.contract.hcl": []byte(`contract "c" {}
party "builder" {}
party "client" {}
event "start" { by = client }
template "stage" {
  party "worker" {}
  party "owner" {
    state "waiting" {}
    state "served" { since = work }
  }
  obligation "work" {
    bearer       = worker
    counterparty = owner
  }
}
phase "stage" {
  template = stage
  roles    = { worker = builder, owner = client }
  after    = start
}
`)}, "c", nil)
	if src.Contract == nil {
		t.Fatal(src.Diagnostics)
	}
	d := compile.Compile(src, "c", nil)
	for _, s := range explain.PartiesAt(d, d.Net.Initial) {
		if s.Party == "stage.builder" {
			t.Errorf("%s is %v", s.Party, s.Places)
		}
	}
	begun := false
	for i := range d.Net.Transitions {
		if d.Net.Fireable(d.Net.Initial, i) {
			for _, c := range explain.Firing(d, 1, i, d.Net.Initial).Changed {
				if c.Party == "stage.builder" {
					t.Errorf("%s goes from %v to %v", c.Party, c.Before, c.After)
				}
				begun = begun || c.Party == "stage.client"
			}
		}
	}
	if !begun {
		t.Error("that the phase begins changes nothing of who has states")
	}
}

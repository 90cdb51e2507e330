package compare

import (
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// TestDescribed: a difference says when it is, of which occurrence, and for whom it is better or worse, if for anybody.
func TestDescribed(t *testing.T) {
	owed := []finding.NormState{{State: "owed", Bearer: "tenant"}}
	for _, c := range []struct {
		norm          string
		better, worse []string
		want          string
	}{
		{"rent", nil, nil, "At the start it was owed by the tenant; now it is not owed."},
		{"rent[2]", nil, nil, "At the start the 2nd was owed by the tenant; now it is not owed."},
		{"rent", []string{"tenant"}, nil, "At the start it was owed by the tenant; now it is not owed. Better for the tenant."},
		{"rent", nil, []string{"landlord", "bank"}, "At the start it was owed by the tenant; now it is not owed. Worse for the landlord and the bank."},
	} {
		d := &finding.NormDifference{Norm: c.norm, Kind: "obligation", Was: owed, Now: []finding.NormState{{}}, Better: c.better, Worse: c.worse}
		if got := described(d); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

package demo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
)

// A wording replaces the only occurrence of a text in a file.
type wording struct{ file, old, new string }

// redlines are the amendments that the two sides propose to the example sale. Each by itself is sound: the seller may close the sale at once
// while acceptance is given; acceptance may be given before the goods are taken, if the sale is closed only after that.
var redlines = map[string][]wording{
	"seller": {
		{"seller.contract.hcl", `  transition "end" {`, `  transition "close-early" {
    title = "the seller closes the sale at once"
    from  = S2
    to    = S0
    set   = { GAV = false }
  }

  transition "end" {`},
		{"sale.contract.hcl", `event "P_GAV_F" {`, `event "CLOSE" {
  title = "the sale is closed upon acceptance"
  sync = {
    seller    = close-early
    purchaser = PurchaserGAC_T
  }
}

event "P_GAV_F" {`},
	},
	"purchaser": {
		{"purchaser.contract.hcl", `  transition "PurchaserGAC_T" {`, `  transition "accept-early" {
    title = "the purchaser accepts before taking the goods"
    label = PurchaserGAC_T
    from  = P2
    to    = P2
  }

  transition "taken" {
    title = "the purchaser has taken the goods"
    from  = P3
    to    = P3
  }

  transition "PurchaserGAC_T" {`},
		{"sale.contract.hcl", `event "P_GAV_T" {`, `event "END" {
  title = "the seller closes the sale once the goods are taken"
  sync = {
    seller    = end
    purchaser = taken
  }
}

event "P_GAV_T" {`},
	},
}

// Compare compares the redlines with the sale, in a repository that it makes in dir.
func Compare(ctx context.Context, dir string) (*finding.Negotiation, error) {
	if err := startSale(ctx, dir); err != nil {
		return nil, err
	}
	for _, side := range []string{"seller", "purchaser"} {
		if err := IsolatedGit(ctx, dir, "checkout -q -b "+side+" main"); err != nil {
			return nil, err
		}
		for _, w := range redlines[side] {
			if err := w.write(filepath.Join(dir, "sale")); err != nil {
				return nil, err
			}
		}
		if err := IsolatedGit(ctx, dir, "commit -q -a -m "+side); err != nil {
			return nil, err
		}
	}
	n, _, err := app.NegotiateTrees(ctx, dir, [3]string{"main", "seller", "purchaser"}, app.ReadOptions{Jobs: 1}, engine.DefaultBudget())
	return n, err
}

func (w wording) write(dir string) error {
	name := filepath.Join(dir, w.file)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if strings.Count(string(text), w.old) != 1 {
		panic(fmt.Sprintf("the example has not one %q", w.old))
	}
	return os.WriteFile(name, []byte(strings.Replace(string(text), w.old, w.new, 1)), 0o666)
}

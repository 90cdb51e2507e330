package structure

import "github.com/redlinehq/redline/engine/petri"

// A prover finds out what no reachable marking of a net meets.
type prover struct {
	*effects
	Stats
	table   *tableau
	traps   *traps
	trapped [][]int // traps found, initially marked
	samples *samples
	left    int64    // work that may still be done
	start   int      // entries of the tableau when it is new
	reasons []reason // of what was proved last
}

// budget is how much work simplifying a formula may take: entries of the tableau looked at.
const budget = 20_000_000

func newProver(n *petri.Net) prover {
	return prover{effects: newEffects(n), traps: newTraps(n), samples: sample(n)}
}

// refresh makes the tableau anew where there is none, or what it was used for makes it slow: sums that no longer matter, and
// rows grown long.
func (p *prover) refresh() {
	if t := p.table; t != nil && !t.spoilt && len(t.sums) == len(p.trapped) && t.size < 3*p.start+1000 {
		return
	}
	p.table = newTableau(p.effects)
	p.start = p.table.size
	for _, trap := range p.trapped {
		p.table.addTrap(trap)
	}
}

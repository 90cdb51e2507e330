package structure

import "github.com/redlinehq/redline/engine/petri"

// A prover proves that no reachable marking of a net meets some goals.
type prover struct {
	*effects
	Stats
	table   *tableau
	traps   *traps
	trapped [][]int // traps found, initially marked
	samples *samples
	left    int64    // work left
	start   int      // entries of the tableau when new
	reasons []reason // of the latest proofs
}

// budget bounds the work of simplifying a formula: entries of the tableau looked at.
const budget = 20_000_000

func newProver(n *petri.Net) prover {
	return prover{effects: newEffects(n), traps: newTraps(n), samples: sample(n)}
}

// refresh makes a new tableau if there is none, or if the old one is spoilt or slow, with sums of earlier goals or rows grown long.
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

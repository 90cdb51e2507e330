package space

import "context"

// A scale says when to expand states together. It changes speed and memory, nothing else.
type scale struct {
	frontier int   // states to expand for each job; with fewer, one goroutine is faster
	least    int   // arcs in a batch for each job, as many as it takes to pay
	most     int   // arcs in a batch for each job; more would not be faster
	share    int64 // a batch may take this part of the memory that the graph does
}

var usual = scale{frontier: 256, least: 1024, most: 1 << 15, share: 4}

// together expands the states from s on with the crew's help, and returns how many; 0 when it
// does not pay or when state s is to be expanded alone.
func (e *explorer) together(ctx context.Context, s int) (int, error) {
	g := e.g
	if e.jobs <= 1 || s < e.alone || s == 0 || g.marks.len-s < e.scale.frontier*e.jobs || !e.equip() {
		return 0, nil
	}
	b := e.batch
	planned := b.plan(s)
	e.alone = s + planned
	if planned == 0 {
		e.alone = s + 1
	}
	b.fire(ctx)
	b.merge()
	states, arcs, expanded := b.sum()
	if !e.fits(states, arcs, expanded) {
		b.forget()
		return 0, nil
	}
	if expanded == planned {
		e.alone = 0
	}
	e.busy = 0 // look up after every batch
	e.helped += expanded
	return expanded, e.add(states, arcs, expanded)
}

// equip sees to a batch as large as the graph warrants, and to a crew for it.
func (e *explorer) equip() bool {
	b, bytes := &e.g.budget, batchBytes(e.g.firer.words)
	room := min(int(b.used/e.scale.share/bytes), e.scale.most*e.jobs)
	if room < e.scale.least*e.jobs || e.batch != nil && room < 2*e.batch.room {
		return e.batch != nil
	}
	e.batch = nil
	if !b.lend(int64(room)*bytes, e.yield) {
		e.jobs = 1
		return false
	}
	if e.crew == nil {
		e.crew = newCrew(e.jobs)
	}
	e.batch = newBatch(e.g, e.crew, room)
	return true
}

// yield gives the batch's memory back to the graph, for good.
func (e *explorer) yield() {
	e.jobs, e.batch = 1, nil
	e.g.budget.lent, e.g.budget.recall = 0, nil
}

// dismiss ends what the graph does without once it is built.
func (e *explorer) dismiss() {
	e.yield()
	if e.crew != nil {
		e.crew.dismiss()
	}
}

// fits reports whether so much may be added to the graph. It errs on the side of no: who expands
// the states one by one will find out precisely.
func (e *explorer) fits(states, arcs, expanded int) bool {
	g := e.g
	bytes := g.marks.need(states) + g.succ.need(arcs) + g.first.need(expanded) + 8<<g.index.bits
	return g.marks.len+states <= e.lim.States && g.succ.len+arcs <= maxArcs && g.budget.has(bytes)
}

// add makes the batch part of the graph.
func (e *explorer) add(states, arcs, expanded int) error {
	g, b := e.g, e.batch
	if err := g.marks.extend(states, &g.budget); err != nil {
		return err
	}
	if err := g.succ.extend(arcs, &g.budget); err != nil {
		return err
	}
	if err := g.first.extend(expanded, &g.budget); err != nil {
		return err
	}
	b.number()
	b.link()
	if g.index.full(g.marks.len - 1) {
		return g.index.grow(&g.budget, e.crew)
	}
	return nil
}

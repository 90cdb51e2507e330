package smv

import "github.com/redlinehq/redline/engine/petri"

// together says what fires where all fires that can: transitions that can and do not compete, and so many that nothing can be added.
func (w *writer) together() {
	for t, id := range w.steps {
		w.line("TRANS %s -> %[1]s$can;", id)
		rivals := []string{id}
		for u, other := range w.steps {
			if u == t || !w.Net.Compete(t, u) {
				continue
			}
			rivals = append(rivals, other)
			if u > t {
				w.line("TRANS !(%s & %s);", id, other)
			}
		}
		w.line("TRANS %s$can -> %s;", id, or(rivals))
	}
}

// collisions are when two transitions that can fire together would each put a token on one place.
func (w *writer) collisions() []string {
	if w.Rule == petri.One {
		return nil
	}
	var all []string
	for t := range w.steps {
		for u := range t {
			if w.Net.Compete(t, u) {
				continue
			}
			if c := w.collide(t, u); c != "" {
				all = append(all, and([]string{w.steps[t] + "$can", w.steps[u] + "$can", c}))
			}
		}
	}
	return all
}

// collide is when both of two transitions mark one place; empty: never. The moves of two that do not compete go to different places.
func (w *writer) collide(t, u int) string {
	for _, p := range w.Net.Transitions[t].Out {
		for _, q := range w.Net.Transitions[u].Out {
			if p == q {
				return "TRUE"
			}
		}
	}
	if all := append(w.meets(t, u), w.meets(u, t)...); len(all) > 0 {
		return or(all)
	}
	return ""
}

// meets lists when a move of u goes where t puts a token.
func (w *writer) meets(t, u int) []string {
	var all []string
	for i, v := range w.Net.Transitions[u].Moves {
		for _, p := range w.Net.Transitions[t].Out {
			if p == v.To && !v.Stays() {
				all = append(all, w.moves.of(u)[i])
			}
		}
	}
	return all
}

package twin

import (
	"context"
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/space"
)

// maxJoints bounds the pairs of acts of a product.
const maxJoints = 1 << 17

var errTooManyPairs = errors.New("too many pairs of equally observed transitions")

// A joint is what both sides do at once, or one alone, as indices of acts; -1: that side does nothing.
type joint [2]int

// A product is the pairs of states that both sides can be in after the same joints.
type product struct {
	ctx    context.Context
	codes  [2]*space.Coding
	acts   [2][]act
	joints []joint // those of both sides first
	both   int     // how many of them

	forest *dd.Forest
	level  [2][]int
	forth  []dd.Relation // by joint
	back   []dd.Relation

	lone  [2]bool // whether that side does something alone
	start dd.Node
	reach dd.Node
	nodes [][]dd.Node // of reach, by level
}

// span is the acts of one label.
type span struct{ from, to int }

// labels lists the labels of acts, Hidden too, in order, with their spans.
func labels(list []act) (labels []int, spans map[int]span) {
	spans = map[int]span{}
	for i, a := range list {
		if i == 0 || list[i-1].label != a.label {
			labels = append(labels, a.label)
			spans[a.label] = span{i, i}
		}
		spans[a.label] = span{spans[a.label].from, i + 1}
	}
	return labels, spans
}

// synchronised pairs all that is equally observed; what is hidden each side does alone.
func synchronised(acts [2][]act) (joints []joint, err error) {
	order, base := labels(acts[Base])
	_, head := labels(acts[Head])
	for _, l := range order {
		if l == Hidden {
			continue
		}
		for i := base[l].from; i < base[l].to; i++ {
			for j := head[l].from; j < head[l].to; j++ {
				joints = append(joints, joint{i, j})
			}
			if len(joints) > maxJoints {
				return nil, errTooManyPairs
			}
		}
	}
	for i := base[Hidden].from; i < base[Hidden].to; i++ {
		joints = append(joints, joint{i, -1})
	}
	for j := head[Hidden].from; j < head[Hidden].to; j++ {
		joints = append(joints, joint{-1, j})
	}
	return joints, nil
}

// newProduct reaches the pairs of states.
func newProduct(ctx context.Context, codes [2]*space.Coding, l layout, acts [2][]act, joints []joint, bytes int64) (*product, error) {
	p := &product{ctx: ctx, codes: codes, acts: acts, joints: joints, both: len(joints), level: l.level, forest: dd.New(l.sizes, dd.Limits{Bytes: bytes})}
	for i, j := range joints {
		for side := range j {
			if j[side] < 0 {
				p.lone[1-side], p.both = true, min(p.both, i)
			}
		}
	}
	p.relate()
	var err error
	if p.start, err = p.initial(); err != nil {
		return nil, err
	}
	if p.reach, err = p.forest.Reach(ctx, p.system(p.forth, 0, len(joints)), p.start); err == nil {
		p.nodes = p.forest.Layers(p.reach)
	}
	return p, err
}

// initial is the pair of the initial markings.
func (p *product) initial() (dd.Node, error) {
	values := make([]int, p.forest.Levels())
	for side, c := range p.codes {
		for v, level := range p.level[side] {
			values[level-1] = c.Initial(v)
		}
	}
	return p.forest.Tuple(values)
}

func (p *product) relate() {
	p.forth, p.back = make([]dd.Relation, len(p.joints)), make([]dd.Relation, len(p.joints))
	for i, j := range p.joints {
		var forth, back []dd.Local
		for side, at := range j {
			if at >= 0 {
				a := &p.acts[side][at]
				forth, back = append(forth, a.at(p.level[side], pass)...), append(back, a.at(p.level[side], turned)...)
			}
		}
		p.forth[i], p.back[i] = chain(p.forest, forth), chain(p.forest, back)
	}
}

// idle reports whether a joint touches nothing.
func (p *product) idle(j joint) bool {
	for side, at := range j {
		if at >= 0 && len(p.acts[side][at].locals) > 0 {
			return false
		}
	}
	return true
}

// system is the union of the relations of some joints.
func (p *product) system(relations []dd.Relation, from, to int) *dd.System {
	return p.chosen(relations, from, to, func(joint) bool { return true })
}

func (p *product) chosen(relations []dd.Relation, from, to int, of func(j joint) bool) *dd.System {
	var some []dd.Relation
	for i := from; i < to; i++ {
		if of(p.joints[i]) {
			some = append(some, relations[i])
		}
	}
	return p.forest.System(some)
}

// silent is what one side, or either for -1, does alone.
func (p *product) silent(relations []dd.Relation, side int) *dd.System {
	return p.chosen(relations, p.both, len(p.joints), func(j joint) bool { return side < 0 || j[side] >= 0 })
}

// together is what both do at once.
func (p *product) together(relations []dd.Relation) *dd.System {
	return p.system(relations, 0, p.both)
}

// settled adds to a set what is reached from it while sides move alone.
func (p *product) settled(set dd.Node) (dd.Node, error) {
	if !p.lone[Base] && !p.lone[Head] {
		return set, nil
	}
	return p.forest.ReachWithin(p.ctx, p.silent(p.forth, -1), set, p.reach)
}

// after is the pairs of a set, both sides having done something at once that is observed as a label, and what follows while they
// move alone.
func (p *product) after(set dd.Node, label int) (dd.Node, error) {
	next := dd.Empty
	from := slices.IndexFunc(p.joints[:p.both], func(j joint) bool { return p.acts[Base][j[Base]].label == label })
	if from < 0 {
		return next, nil
	}
	for i := from; i < p.both && p.acts[Base][p.joints[i][Base]].label == label; i++ {
		one, err := p.forest.Lead(p.ctx, p.forth[i], set)
		if err == nil {
			next, err = p.forest.Union(p.ctx, next, one)
		}
		if err != nil {
			return dd.Empty, err
		}
	}
	return p.settled(next)
}

package phase

import (
	"fmt"
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// maxRounds is the largest number of rounds of a phase.
const maxRounds = 100

// Repeat returns the blocks with its rounds in place of each phase that has some: of a phase month with count = 3 the phases month-1, month-2 and
// month-3. Each begins with the event until of the one before. Likewise a phase with a role for each of several is one phase for each.
func (x *Expander) Repeat(blocks []*hclsyntax.Block) []*hclsyntax.Block {
	var out []*hclsyntax.Block
	for _, b := range x.spread(blocks) {
		count, several := b.Body.Attributes["count"]
		until, ends := b.Body.Attributes["until"]
		switch {
		case b.Type != "phase" || !several && !ends:
			out = append(out, b)
		case !several:
			x.Mistake(diag.MissingAttribute, until.NameRange, fmt.Sprintf("Phase %q is not repeated, so that it ends says nothing.", b.Labels[0]), "Write count = 12 beside it, or drop it.")
		case !ends:
			x.Lacking(b.Body, count.NameRange, fmt.Sprintf("It is not said when a round of phase %q ends and the next begins.", b.Labels[0]), "Write until = EVENT, an event of its template.")
		default:
			out = append(out, x.rounds(b, count, until)...)
		}
		if x.tooLarge(expanded{blocks: len(out)}, b) {
			return nil
		}
	}
	return out
}

// rounds returns the rounds of a phase; nil after a mistake.
func (x *Expander) rounds(b *hclsyntax.Block, count, until *hclsyntax.Attribute) (out []*hclsyntax.Block) {
	event, at, ok := x.Reference(until.Expr, "an event of the template")
	n, whole := x.Integer(b.Body, "count", 1)
	if !ok || !whole {
		return nil
	}
	if n < 1 || n > maxRounds {
		x.Mistake(diag.BadCount, count.Expr.Range(), fmt.Sprintf("count must be a whole number, 1 to %d; this is %d.", maxRounds, n), "")
		return nil
	}
	name := b.Labels[0]
	if !x.DeclareBlock(syntax.Names{}, b) {
		return nil
	}
	for k := 1; k <= n; k++ {
		c, body := *b, *b.Body
		c.Labels, body.Attributes = []string{fmt.Sprintf("%s-%d", name, k)}, maps.Clone(b.Body.Attributes)
		delete(body.Attributes, "count")
		delete(body.Attributes, "until")
		if k > 1 {
			after := *until
			after.Name, after.Expr = "after", &hclsyntax.ScopeTraversalExpr{SrcRange: at, Traversal: hcl.Traversal{
				hcl.TraverseRoot{Name: x.Rounds[name][k-2], SrcRange: at}, hcl.TraverseAttr{Name: event, SrcRange: at}}}
			body.Attributes["after"] = &after
		}
		c.Body = &body
		x.nth[&c], x.Rounds[name] = k, append(x.Rounds[name], c.Labels[0])
		out = append(out, &c)
	}
	return out
}

package imported

import (
	"cmp"
	"io"

	"github.com/redlinehq/redline/engine/smv"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/engine/workflow"
)

// SMV writes the net in the language of NuSMV and, if it is a workflow net, its soundness. An error comes from w, or is Check's finding on a
// net that cannot be read.
func (n *Imported) SMV(w io.Writer) (notes []string, err error) {
	if n.broken != nil {
		return nil, n.broken
	}
	m := &smv.Model{Title: cmp.Or(n.doc.Title, n.doc.Net.Name, n.Path), Net: n.doc.Net}
	ends, lacks := workflow.Recognize(m.Net)
	if lacks == nil {
		started := *m.Net
		started.Initial = []int{ends.Source}
		m.Net = &started
		m.Specs = append(m.Specs, smv.Spec{ID: "sound", Title: "It can always end, ends properly, and has no dead transition", Formula: verify.Sound(m.Net, ends)})
	} else {
		m.Notes = append(m.Notes, "it is no workflow net, so nothing is asked but whether it is one-safe")
	}
	return m.Notes, smv.Write(w, m)
}

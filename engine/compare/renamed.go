package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/edit"
)

// A text in which only some mentions of an element have its new name means something that neither draft means, or nothing. So renames are
// applied first: texts in between lie between base in head's names, and head.

// Renamed returns base's text in head's names, and a function from its headers to those of base's own text. If renaming would change more
// than names, it returns base's text unchanged.
func Renamed(base, head *compile.Draft) (edit.Text, func(hcl.Range) hcl.Range) {
	text := base.Text()
	same := func(r hcl.Range) hcl.Range { return r }
	changes, names := diff.Changes(base.Spec, head.Spec)
	list := renaming(base, changes)
	if len(list) == 0 {
		return text, same
	}
	now := edit.Text(text).Splice(list)
	now = rewordedAlike(base, head, now, names)
	d := base.Redraft(now)
	if d.Spec == nil || !onlyRenamed(base, d) {
		return text, same
	}
	return now, headersOf(text, now)
}

// onlyRenamed reports whether two drafts differ in names only.
func onlyRenamed(base, d *compile.Draft) bool {
	changes, _ := diff.Changes(base.Spec, d.Spec)
	return !slices.ContainsFunc(changes, func(c diff.Change) bool { return c.Action != diff.Renamed })
}

// renaming returns the edits of names in headers and in mentions that the reader indexed. Names in formulas are not among them.
func renaming(d *compile.Draft, changes []diff.Change) []edit.Splice {
	var list []edit.Splice
	put := func(at hcl.Range, old, name string) {
		src := d.Source.Files[at.Filename]
		if text := string(src[at.Start.Byte:at.End.Byte]); strings.Trim(text, `"`) == old {
			at.Filename = at.Filename[strings.LastIndexByte(at.Filename, '/')+1:]
			list = append(list, edit.Splice{Range: at, Old: text, New: strings.Replace(text, old, name, 1)})
		}
	}
	for _, c := range changes {
		if c.Action != diff.Renamed {
			continue
		}
		old, name := lastName(c.Was), lastName(c.Name)
		for _, e := range d.Source.Index.Elements {
			if e.At == c.Base {
				put(e.Named, old, name)
			}
		}
		for _, r := range d.Source.Index.References {
			if r.To == c.Base {
				put(r.At, old, name)
			}
		}
	}
	slices.SortFunc(list, func(a, b edit.Splice) int {
		return cmp.Or(cmp.Compare(a.Range.Filename, b.Range.Filename), cmp.Compare(a.Range.Start.Byte, b.Range.Start.Byte))
	})
	return slices.CompactFunc(list, func(a, b edit.Splice) bool { return a.Range == b.Range })
}

// lastName returns an element's own name: ready for seller.ready.
func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// rewordedAlike returns a text with head's wording of requirements and final states, where head means the same by them.
func rewordedAlike(base, head *compile.Draft, text edit.Text, names *diff.Names) edit.Text {
	diff, err := edit.Compare(text, head.Text())
	if err != nil {
		return text
	}
	kept := map[string]bool{}
	for _, r := range base.Spec.Requirements {
		meaning := head.Promise(names.HeadRequirement(r))
		for _, now := range head.Spec.Requirements {
			kept[now.Name] = kept[now.Name] || head.Promise(now) == meaning
		}
	}
	final := base.Spec.Final != nil && head.Spec.Final != nil && head.Meaning(names.HeadText(base.Spec.Final)) == head.Meaning(head.Spec.Final)
	alike := make([]bool, len(diff.Changes))
	for i, c := range diff.Changes {
		switch c.Type() {
		case "requirement", "scenario":
			alike[i] = c.Attribute != "" && slices.ContainsFunc(head.Spec.Requirements, func(r *hclspec.Requirement) bool {
				return kept[r.Name] && r.Range == head.Shown(c.Head)
			})
		case "contract":
			alike[i] = c.Attribute == "final" && final
		}
	}
	return diff.Apply(alike)
}

// headersOf returns a function from the headers of now to those of was, which has the same blocks in the same order.
func headersOf(was, now edit.Text) func(hcl.Range) hcl.Range {
	before, err := edit.Read(was)
	after, later := edit.Read(now)
	at := map[hcl.Range]hcl.Range{}
	if err == nil && later == nil {
		old := before.Headers()
		for i, r := range after.Headers() {
			at[r] = old[i]
		}
	}
	return func(r hcl.Range) hcl.Range { return at[r] }
}

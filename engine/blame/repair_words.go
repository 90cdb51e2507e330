package blame

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/edit"
)

// maxNamed is the most blocks that are named if the whole amendment is taken back.
const maxNamed = 3

// sentence describes taking changes back.
func (s *Search) sentence(undone set) string {
	blocks := s.among(undone)
	if len(blocks) == len(s.All) && len(blocks) > maxNamed && !slices.ContainsFunc(s.All, func(c cause) bool {
		return slices.ContainsFunc(c.changes, func(i int) bool { return !undone[i] })
	}) {
		return "Take back the whole amendment."
	}
	var parts []string
	for _, k := range blocks {
		parts = append(parts, s.phrase(k, undone))
	}
	return diag.Capital(enumerate(parts)) + "."
}

// phrase describes taking changes of one block back.
func (s *Search) phrase(k int, undone set) string {
	var old, fresh []string
	var last edit.Change
	every := true
	for _, i := range s.All[k].changes {
		if every = every && undone[i]; !undone[i] {
			continue
		}
		switch last = s.Diff.Changes[i]; {
		case last.Attribute == "":
		case last.Action == edit.Added:
			fresh = append(fresh, last.Attribute)
		default:
			old = append(old, last.Attribute)
		}
	}
	name := calledWithin(s.withClause(last))
	switch {
	case last.Attribute == "" && last.Action == edit.Added:
		return "leave out " + name
	case last.Attribute == "" && last.Action == edit.Removed:
		return "put back " + name
	case last.First:
		return fmt.Sprintf("let %s no longer come first", name)
	case every:
		return "put " + name + " as it was"
	case len(fresh) == 0:
		return fmt.Sprintf("give %s its old %s again", name, enumerate(old))
	case len(old) == 0:
		return fmt.Sprintf("leave out %s of %s", enumerate(fresh), name)
	}
	return fmt.Sprintf("give %s its old %s again, without %s", name, enumerate(old), enumerate(fresh))
}

// withClause returns the path of a changed block, with the block's own clause if it has one.
func (s *Search) withClause(c edit.Change) []string {
	_, clause := s.prose(c)
	switch {
	case clause == "":
		return c.Path
	case clause[0] >= '0' && clause[0] <= '9':
		clause = "clause " + clause
	}
	path := slices.Clone(c.Path)
	path[len(path)-1] += " (" + clause + ")"
	return path
}

// calledWithin names a block from the inside: transition "ready" of party "seller".
func calledWithin(path []string) string {
	path = slices.Clone(path)
	slices.Reverse(path)
	return strings.Join(path, " of ")
}

// enumerate joins parts as in a sentence.
func enumerate(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

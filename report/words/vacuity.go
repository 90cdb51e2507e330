package words

import (
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// Vacuities explains which parts of a requirement that holds make no difference, and why: one sentence each. Parts that differ in the instances
// they are about only are explained once, with their number.
func Vacuities(all []finding.Vacuity, in Medium) []string {
	var said []string
	for i, v := range all {
		alike := 0
		for j, other := range all {
			if v.OfAny() != other.OfAny() {
				continue
			}
			if j < i {
				alike = -1
				break
			}
			alike++
		}
		switch {
		case alike == 1:
			said = append(said, vacuity(v, in))
		case alike > 1:
			said = append(said, vacuity(v, in)+" So it is with "+Several(alike-1, "other")+" of its kind.")
		}
	}
	return said
}

// vacuity explains which part of a requirement that holds makes no difference, and why.
func vacuity(v finding.Vacuity, in Medium) string {
	sub := in.Code(v.Subformula)
	if v.Nth > 0 {
		sub = "the " + hclspec.Ordinal(v.Nth) + " " + sub
	}
	if v.In != "" {
		sub += " in " + in.Code(v.In)
	}
	constant := map[bool]string{true: "is always true", false: "is never true"}
	one := v.Never || v.Always
	switch {
	case v.Because != "" && v.Spare:
		return Joined(" ", "Holds, but", in.Code(v.Because), constant[v.Value]+":", sub, "makes no difference and may be left out if the rest stays.")
	case v.Because != "":
		return Joined(" ", "Holds, but", in.Code(v.Because), constant[v.Value]+":", sub, "makes no difference.")
	case v.Spare && one:
		return "Holds without " + sub + ", which " + constant[v.Always] + ": that part is not needed and may be left out if the rest stays."
	case v.Spare:
		return "Holds without " + sub + ", too: that part is not needed and may be left out if the rest stays."
	case one:
		return "Holds whatever " + sub + " is, and it " + constant[v.Always] + ": that part makes no difference."
	}
	return "Holds whatever " + sub + " is: that part makes no difference."
}

package words

import (
	"slices"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// Vacuities explains which parts of a requirement that holds make no difference, and why: one sentence each. Parts that differ in the instances
// they are about only are explained once, with the other instances.
func Vacuities(all []finding.Vacuity, in Medium) []string {
	var said []string
	for i, v := range all {
		alike := func(other finding.Vacuity) bool { return v.OfAny() == other.OfAny() }
		if slices.ContainsFunc(all[:i], alike) {
			continue
		}
		var others []string
		for _, other := range all[i+1:] {
			if alike(other) {
				others = append(others, in.Code(otherInstance(v, other)))
			}
		}
		line := vacuity(v, in)
		if len(others) > 0 {
			line += " So it is with " + firstOf(others) + "."
		}
		said = append(said, line)
	}
	return said
}

// otherInstance returns the first instance that a remark names in place of another one in a remark of its kind.
func otherInstance(v, other finding.Vacuity) string {
	was, now := v.Instances(), other.Instances()
	for i := range was {
		if was[i] != now[i] {
			return now[i]
		}
	}
	return other.Subformula
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

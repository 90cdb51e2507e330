package words

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// mostAlike bounds the names or places that a joined diagnostic lists.
const mostAlike = 5

// joinedErrors lists the codes of mistakes of which the same one in several places is one message.
var joinedErrors = []codes.Code{"unknown-name", "unknown-attribute", "unknown-block", "bad-duration"}

// Alike joins diagnostics that say one thing several times, for a report that is read from top to bottom. Diagnostics of one text that a template
// gives to several phases become the first of them, with the names of the others; of breaches that nothing follows the first is told in full; a mistake that recurs word for word is one message, with its other places; what never comes for want of something else that never comes is named with that. Other diagnostics with a run, and accepted ones, stay separate.
func Alike(all []finding.Diagnostic) []finding.Diagnostic {
	all, wanting := rootsOf(all)
	var out []finding.Diagnostic
	first, others := map[[3]string]int{}, map[int][]string{}
	for _, d := range all {
		key, other := sameness(d)
		at, known := first[key]
		switch {
		case key[0] == "":
		case known:
			if other != place(out[at]) && !slices.Contains(others[at], other) { // a line is named once
				others[at] = append(others[at], other)
			}
			wanting[out[at].Subject] = append(wanting[out[at].Subject], wanting[d.Subject]...)
			continue
		default:
			first[key] = len(out)
		}
		out = append(out, d)
	}
	for i := range out {
		if also := wanting[out[i].Subject]; len(also) > 0 && out[i].Follows == "" && neverComes(&out[i]) {
			out[i].Detail = Joined(" ", out[i].Detail, fmt.Sprintf("For want of it these never come either: %s.", firstOf(also)))
			delete(wanting, out[i].Subject)
		}
	}
	for at, also := range others {
		form := "So it is with %s, too."
		if out[at].Class == codes.Error {
			form = "Also at %s."
		}
		out[at].Detail = Joined(" ", out[at].Detail, fmt.Sprintf(form, firstOf(also)))
	}
	return out
}

// A group is a contract, and the others of which a report says the same, but for the places of their files.
type group struct {
	*finding.ContractReview
	also []string
}

// Groups returns contracts in their order, those of which a report says the same in one group.
func Groups(all []finding.ContractReview, said func(*finding.ContractReview) string) (list []group) {
	first := map[string]int{}
	for i := range all {
		c := &all[i]
		key := unplaced(said(c), c)
		if at, known := first[key]; known {
			list[at].also = append(list[at].also, cmp.Or(c.Path, c.Name))
			continue
		}
		first[key] = len(list)
		list = append(list, group{ContractReview: c})
	}
	return list
}

// unplaced returns a text without the directory of a contract before the names of its files, and without its name where its block begins. The name stays
// elsewhere: there it may be something else's, and what seems alike is not.
func unplaced(said string, c *finding.ContractReview) string {
	var b strings.Builder
	for before, rest, found := strings.Cut(said, c.Path+"/"); found; before, rest, found = strings.Cut(rest, c.Path+"/") {
		b.WriteString(before)
		if !hclFile.MatchString(rest) {
			b.WriteString(c.Path)
		}
		b.WriteByte('/')
		said = rest
	}
	return strings.ReplaceAll(b.String()+said, `contract "`+c.Name+`"`, "contract")
}

// hclFile matches the name of a file of a contract, and what follows.
var hclFile = regexp.MustCompile(`^[\pL\pN_.-]+\.hcl`)

// Also names the other contracts of a group. It returns "" if there are none.
func (g *group) Also(in Medium) string {
	if len(g.also) == 0 {
		return ""
	}
	names := Mapped(g.also[:min(len(g.also), MostRows)], in.Code)
	if more := len(g.also) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return WithFullStop("The same is so of " + Several(len(g.also), "other contract") + ", in their own files: " + strings.Join(names, ", "))
}

// sameness returns the key by which a diagnostic is joined with others, and the words for it beside the first; an empty key if it is not joined.
func sameness(d finding.Diagnostic) (key [3]string, other string) {
	switch place := place(d); {
	case d.Code == "breach-without-consequence" && d.Accepted == "":
		lapses := map[bool]string{true: d.Message}[strings.HasSuffix(d.Message, "nothing else follows.")]
		return [3]string{string(d.Code), lapses}, fmt.Sprintf("%s (%s)", strings.Replace(d.Subject, ".", " ", 1), place)
	case d.Trace != nil || d.Accepted != "" || d.Source.Filename == "":
	case d.Class == codes.Error && slices.Contains(joinedErrors, d.Code):
		return [3]string{string(d.Code), d.Message}, place
	case d.Class == codes.Warning && strings.Contains(d.Subject, "."):
		return [3]string{string(d.Code), place, fmt.Sprint(d.Source.Start.Column)}, strings.TrimPrefix(d.Subject, "event.")
	}
	return [3]string{}, ""
}

// place returns the file and line of a diagnostic.
func place(d finding.Diagnostic) string {
	return fmt.Sprintf("%s:%d", d.Source.Filename, d.Source.Start.Line)
}

// firstOf enumerates the first of some names, and counts the rest.
func firstOf(names []string) string {
	if len(names) > mostAlike {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostAlike], ", "), len(names)-mostAlike)
	}
	return strings.Join(names, ", ")
}

// rootsOf leaves out the diagnostics that follow from others of a list, and returns what they are about, by the subject of the other.
func rootsOf(all []finding.Diagnostic) (roots []finding.Diagnostic, wanting map[string][]string) {
	there := map[string]bool{}
	for i := range all {
		if all[i].Follows == "" && neverComes(&all[i]) {
			there[all[i].Subject] = true
		}
	}
	wanting = map[string][]string{}
	for _, d := range all {
		switch {
		case d.Follows == "" || !there[d.Follows] || d.Accepted != "":
			roots = append(roots, d)
		case neverComes(&d):
			wanting[d.Follows] = append(wanting[d.Follows], strings.Replace(d.Subject, ".", " ", count(neverHere[d.Code])))
		default: // what an obligation or a power comes to is first
			of := map[bool]string{true: "fulfilment", false: "use"}[d.Code == "obligation-cannot-fulfil"]
			wanting[d.Follows] = slices.Insert(wanting[d.Follows], 0, fmt.Sprintf("the %s of %s", of, strings.Replace(d.Subject, ".", " ", 1)))
		}
	}
	return roots, wanting
}

// neverComes reports whether a diagnostic is about something that never comes.
func neverComes(d *finding.Diagnostic) bool {
	_, is := neverHere[d.Code]
	return is
}

// neverHere has the codes of what never comes, and whether their subjects begin with the kind of what it is.
var neverHere = map[codes.Code]bool{"event-never-happens": true, "norm-never-arises": true, "transition-never-fires": false, "state-never-reached": false}

// MostOfACode is the number of diagnostics of one code that a report lists for one contract. Exit statuses and reviews count all of them.
const MostOfACode = 200

// Abridged returns the diagnostics to list, in their order, and for each code with too many a diagnostic that counts those left out.
// Accepted diagnostics are always listed.
func Abridged(all []finding.Diagnostic) (listed, more []finding.Diagnostic) {
	if len(all) <= MostOfACode {
		return all, nil
	}
	count, first := map[codes.Code]int{}, map[codes.Code]finding.Diagnostic{}
	var order []codes.Code
	for _, d := range all {
		switch {
		case d.Accepted != "" || count[d.Code] < MostOfACode:
			listed = append(listed, d)
		case count[d.Code] == MostOfACode:
			first[d.Code], order = d, append(order, d.Code)
		}
		if d.Accepted == "" {
			count[d.Code]++
		}
	}
	for _, code := range order {
		d := first[code]
		more = append(more, finding.Diagnostic{Code: code, Class: d.Class, Source: d.Source, Message: leftOut(count[code]-MostOfACode, d.Source.Filename != "")})
	}
	return listed, more
}

// leftOut returns a sentence that counts the diagnostics not listed.
func leftOut(n int, placed bool) string {
	switch {
	case n == 1:
		return "One more of this kind is left out."
	case placed:
		return fmt.Sprintf("%s more of this kind are left out, the first of them here.", finding.Grouped(fmt.Sprint(n)))
	}
	return fmt.Sprintf("%s more of this kind are left out.", finding.Grouped(fmt.Sprint(n)))
}

// Requirements returns the requirements to list, in their order, and a sentence that counts those left out: ill-formed ones, of which a contract may
// have as many as blocks.
func Requirements(all []finding.Requirement) (listed []finding.Requirement, more string) {
	if len(all) <= MostOfACode {
		return all, ""
	}
	n := 0
	for i := range all {
		if all[i].Verdict == finding.IllFormed {
			if n++; n > MostOfACode {
				continue
			}
		}
		listed = append(listed, all[i])
	}
	if n <= MostOfACode {
		return all, ""
	}
	return listed, Several(n-MostOfACode, "more ill-formed requirement") + " left out here."
}

// shortened returns the diagnostics that Abridged lists, followed by the counts of the rest.
func shortened(all []finding.Diagnostic) []finding.Diagnostic {
	listed, more := Abridged(all)
	return append(listed[:len(listed):len(listed)], more...)
}

// Listed returns the diagnostics of a result that a report lists, with counts of those it leaves out.
func Listed(r *finding.Result) []finding.Diagnostic { return shortened(r.Diagnostics) }

// RunAbove says, of a norm that differs after a run that has been shown, or of an occurrence that differs as another does whose run has been, that its own is
// not. It returns "" of any other finding.
func RunAbove(shown []*finding.Diagnostic, d *finding.Diagnostic, in Medium) string {
	number, stands := standsAs(d)
	for _, o := range shown {
		if a, b := o.Trace, d.Trace; b != nil && a.Ends != nil && b.Ends != nil && !a.Ends.Alone && !b.Ends.Alone && a.Ends.Side == b.Ends.Side && SameSteps(a.Prefix, b.Prefix) {
			return "It differs after the run that is shown above of " + in.Code(o.Subject) + "."
		}
		if n, as := standsAs(o); number > 0 && n > 0 && as == stands {
			return "The run after which it differs is not shown, since that of the " + hclspec.Ordinal(n) + " is above: " + in.Code("--format json") + " has it."
		}
	}
	return ""
}

// standsAs returns the number of the occurrence that a finding on a norm is about, and how it stands at the end of its run in both versions; 0 if it is about none.
func standsAs(d *finding.Diagnostic) (number int, stands string) {
	found := nth.FindStringSubmatch(d.Subject)
	if found == nil || d.Trace == nil || d.Trace.Ends == nil {
		return 0, ""
	}
	number, _ = strconv.Atoi(found[2])
	_, norm, _ := strings.Cut(d.Subject, ".")
	stands = found[1] + " " + fmt.Sprint(d.Trace.Ends.Side)
	for _, all := range [][]finding.PartyState{d.Trace.Ends.Before, d.Trace.Ends.Now} {
		i := slices.IndexFunc(all, func(s finding.PartyState) bool { return s.Party == norm })
		if i < 0 {
			return 0, ""
		}
		stands += "; " + strings.Join(all[i].Places, ", ")
	}
	return number, stands
}

package record

import "strings"

// Outcome returns the verdicts and checks of a draft as a test result. Configuration is left empty.
func Outcome(d *Draft) predicate {
	p := predicate{Result: "PASSED", PassedTests: []string{}, WarnedTests: []string{}, FailedTests: []string{}}
	for i := range d.Requirements {
		q := &d.Requirements[i]
		switch {
		case q.Verdict == "holds":
			p.PassedTests = append(p.PassedTests, q.Name)
		case q.Verdict == "unknown" || q.Waived():
			p.WarnedTests = append(p.WarnedTests, q.Name)
		default:
			p.FailedTests = append(p.FailedTests, q.Name)
		}
	}
	for _, c := range d.Checks {
		name := strings.TrimSuffix(c.Code+" "+c.Subject, " ")
		if c.Class == "warning" || c.Accepted != "" {
			p.WarnedTests = append(p.WarnedTests, name)
		} else {
			p.FailedTests = append(p.FailedTests, name)
		}
	}
	switch {
	case len(p.FailedTests) > 0:
		p.Result = "FAILED"
	case len(p.WarnedTests) > 0:
		p.Result = "WARNED"
	}
	return p
}

// Waived reports whether the requirement is violated and a waiver in force accepts that.
func (q *Requirement) Waived() bool {
	return q.Verdict == "violated" && q.Waiver != nil && q.Waiver.State == "in force"
}

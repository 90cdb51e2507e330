package words

import (
	"fmt"

	"github.com/redlinehq/redline/engine/finding"
)

// ScenarioBroken says in what a scenario is not as expected. It returns "" for a scenario that is, and for any other requirement.
func ScenarioBroken(r *finding.Requirement, in Medium) string {
	if r == nil || r.Scenario == nil || r.Verdict != finding.Violated {
		return ""
	}
	s := r.Scenario
	switch {
	case s.Stops > 0:
		return Joined(" ", fmt.Sprintf("It stops at step %d of %d, %s.", s.Stops, len(s.Steps), in.Prose(s.Steps[s.Stops-1])), takes(s, in))
	case s.Expect == "breach":
		return "It is possible, but afterwards " + in.Prose(s.Whose) + " is in breach of nothing."
	case s.Expect == "fulfilled":
		return "It is possible, but afterwards something is owed or breached."
	case s.Expect == "ends" && s.Then == "contract.ended":
		return "It is possible, but afterwards the contract has not ended."
	case s.Expect == "ends":
		return "It is possible, but afterwards it is not so that " + in.Code(s.Then) + "."
	case s.Expect == "impossible":
		return "It is possible."
	}
	return "" // Evident leaves out what is said elsewhere
}

// takes says what the step that can't happen takes, and how it is there instead.
func takes(s *finding.Scenario, in Medium) string {
	if len(s.Lacks) == 0 {
		return ""
	}
	there := ""
	if len(s.There) > 0 {
		there = "; there, " + State(s.There, in)
	}
	takes := map[bool]string{false: "That takes ", true: "Of several ways, one would take "}[s.OneWay]
	return WithFullStop(takes + State(s.Lacks, in) + there)
}

// scenarioWas says in what a scenario was not as expected on base.
func scenarioWas(f *finding.Finding, in Medium) string {
	switch s := f.Base.Scenario; {
	case f.Reworded || s == nil:
		return "it failed otherwise then."
	case s.Stops > 0:
		return fmt.Sprintf("it stopped at step %d of %d then, %s.", s.Stops, len(s.Steps), in.Prose(s.Steps[s.Stops-1]))
	}
	return "it was possible then, and did not end as expected."
}

// scenarioNewly says how a scenario that is not as expected came about.
func scenarioNewly(f finding.Finding) string {
	switch {
	case f.Base == nil:
		return "The amendment adds this scenario, and it is not as it expects."
	case f.Reworded:
		return "The amendment rewords this scenario, and it is not as it expects now."
	case f.Base.Verdict != finding.Holds:
		return "It is not as expected."
	case f.Head.Scenario.Stops > 0:
		return "The scenario is no longer possible."
	case f.Head.Scenario.Expect == "impossible":
		return "The scenario was impossible before the amendment."
	}
	return "The scenario no longer ends as expected."
}

package lsp

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/text"
)

// ofRequirement returns the diagnostic of a requirement. It returns false if the requirement simply holds, or is ill-formed, which another
// diagnostic reports.
func ofRequirement(r *finding.Requirement) (diagnostic, bool) {
	d := diagnostic{Source: "redline", Message: text.Requirement(r)}
	switch {
	case r.Waived():
		d.Severity, d.Code = severityInformation, "waived"
	case r.Verdict == finding.Violated:
		d.Severity, d.Code = severityError, "violated"
	case r.Verdict == finding.Unknown:
		d.Severity, d.Code = severityInformation, "unknown"
	case r.Verdict == finding.Holds && len(r.Vacuous) > 0:
		d.Severity, d.Code = severityInformation, "vacuous"
	default:
		return d, false
	}
	return d, true
}

func ofDiagnostic(d *finding.Diagnostic) diagnostic {
	severity := severityError
	if d.Class == codes.Warning {
		severity = severityWarning
	}
	return diagnostic{Severity: severity, Code: string(d.Code), Source: "redline", Message: text.Diagnostic(d)}
}

// add files a diagnostic under the file of its range. One without a range goes to the beginning of the contract's first file.
func (r *reading) add(found map[string][]diagnostic, at hcl.Range, d diagnostic) {
	name := at.Filename
	t := r.texts[name]
	if t == nil {
		if name = r.first(); name == "" {
			return
		}
		t, at = r.texts[name], hcl.Range{}
	}
	if len(found[name]) < maxDiagnostics {
		d.Range = t.spanOf(at)
		found[name] = append(found[name], d)
	}
}

// first returns the contract's first file by name. It returns "" if there is none.
func (r *reading) first() string {
	return append(slices.Sorted(maps.Keys(r.texts)), "")[0]
}

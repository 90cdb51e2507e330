package github

import (
	"context"
	"errors"
	"fmt"

	gh "github.com/google/go-github/v60/github"
)

// Limits of a check run and of a status (docs.github.com, REST, "Check runs" and "Commit statuses").
const (
	checkRunTextLimit      = 65535 // of the summary, and of the text, in characters
	annotationsACall       = 50
	statusDescriptionLimit = 140 // in characters
)

// An Annotation is a note of a check run at a line of a file.
type Annotation struct {
	Path               string
	StartLine, EndLine int    // from 1
	Level              string // notice, warning or failure
	Title, Message     string
}

// A CheckRun is one run of a check on a commit.
type CheckRun struct {
	ID          int64  // GitHub's number
	External    string // our name, by which a later run finds it
	Name, Head  string
	Conclusion  string // success, failure, neutral, ...
	Title       string
	Summary     string
	Text        string
	Annotations []Annotation // all of them; sent in several calls if necessary
}

// CheckRuns returns a commit's check runs of a name, without their annotations.
func (c *Client) CheckRuns(ctx context.Context, sha, name string) ([]CheckRun, error) {
	return pages(ctx, "check runs", (*gh.CheckRun).GetID, checkRun, func(o gh.ListOptions) ([]*gh.CheckRun, *gh.Response, error) {
		list, answer, err := c.rest.Checks.ListCheckRunsForRef(ctx, c.owner, c.name, sha,
			&gh.ListCheckRunsOptions{CheckName: &name, Filter: gh.String("all"), ListOptions: o})
		if err != nil {
			return nil, answer, err
		}
		return list.CheckRuns, answer, nil
	})
}

func checkRun(r *gh.CheckRun) CheckRun {
	return CheckRun{
		ID: r.GetID(), External: r.GetExternalID(), Name: r.GetName(), Head: r.GetHeadSHA(), Conclusion: r.GetConclusion(),
		Title: r.GetOutput().GetTitle(), Summary: r.GetOutput().GetSummary(), Text: r.GetOutput().GetText(),
	}
}

// CreateCheckRun creates a check run without a conclusion, and continues like UpdateCheckRun. It never repeats the first call. After an
// Uncertain error, CheckRuns shows by External whether the check run exists, and UpdateCheckRun continues.
func (c *Client) CreateCheckRun(ctx context.Context, r CheckRun) (id int64, err error) {
	if err := r.fits(); err != nil {
		return 0, err
	}
	fresh, _, err := c.rest.Checks.CreateCheckRun(ctx, c.owner, c.name, gh.CreateCheckRunOptions{
		Name: r.Name, HeadSHA: r.Head, ExternalID: optional(r.External), Status: gh.String("in_progress"),
	})
	if err = made(ctx, "the check run", fresh.GetID(), err); err != nil {
		return 0, err
	}
	return fresh.GetID(), c.complete(ctx, fresh.GetID(), r, 0)
}

// UpdateCheckRun adds those annotations of r that a check run lacks, 50 in each call, and finally the
// conclusion. The annotations that it has must be the first of r's.
func (c *Client) UpdateCheckRun(ctx context.Context, id int64, r CheckRun) error {
	if err := r.fits(); err != nil {
		return err
	}
	has, err := c.annotated(ctx, id)
	if err != nil {
		return err
	}
	return c.complete(ctx, id, r, has)
}

// complete sends annotations from the given one on. GitHub adds a call's annotations to the existing ones. So it repeats a call with an unknown
// result only if the count of annotations shows that it was not carried out.
func (c *Client) complete(ctx context.Context, id int64, r CheckRun, from int) error {
	for tries := 1; ; {
		to := min(from+annotationsACall, len(r.Annotations))
		err := c.append(ctx, id, r, min(from, to), to)
		if errors.As(err, new(Uncertain)) && tries < mostTries {
			tries++
			if from, err = c.annotated(ctx, id); err != nil {
				return err
			}
			continue
		}
		if err != nil || to == len(r.Annotations) {
			return err
		}
		from, tries = to, 1
	}
}

// append makes one call. The call with the last annotation has the conclusion.
func (c *Client) append(ctx context.Context, id int64, r CheckRun, from, to int) error {
	out := &gh.CheckRunOutput{Title: &r.Title, Summary: &r.Summary, Text: optional(r.Text)}
	for _, a := range r.Annotations[from:to] {
		out.Annotations = append(out.Annotations, &gh.CheckRunAnnotation{
			Path: &a.Path, StartLine: &a.StartLine, EndLine: &a.EndLine, AnnotationLevel: &a.Level, Title: optional(a.Title), Message: &a.Message,
		})
	}
	change := gh.UpdateCheckRunOptions{Name: r.Name, ExternalID: optional(r.External), Output: out}
	if to == len(r.Annotations) {
		change.Status, change.Conclusion = gh.String("completed"), &r.Conclusion
	}
	ctx = context.WithValue(ctx, harmless{}, false)
	_, _, err := c.rest.Checks.UpdateCheckRun(ctx, c.owner, c.name, id, change)
	return plain(ctx, err)
}

func (c *Client) annotated(ctx context.Context, id int64) (int, error) {
	r, _, err := c.rest.Checks.GetCheckRun(ctx, c.owner, c.name, id)
	return r.GetOutput().GetAnnotationsCount(), plain(ctx, err)
}

func (r CheckRun) fits() error {
	return errors.Join(fits("the check run's summary", r.Summary, checkRunTextLimit), fits("the check run's text", r.Text, checkRunTextLimit))
}

// SetStatus sets a commit's status in one context: error, failure, pending or success. The last one counts, so it is safe to repeat.
func (c *Client) SetStatus(ctx context.Context, sha, name, state, description, url string) error {
	if err := fits(fmt.Sprintf("the description of status %q", name), description, statusDescriptionLimit); err != nil {
		return err
	}
	_, _, err := c.rest.Repositories.CreateStatus(context.WithValue(ctx, harmless{}, true), c.owner, c.name, sha, &gh.RepoStatus{
		Context: &name, State: &state, Description: &description, TargetURL: optional(url),
	})
	return plain(ctx, err)
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/cmd/redline/records"
	"github.com/redlinehq/redline/engine/conform"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/ci"
	"github.com/redlinehq/redline/report/history"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/record/store"
	"github.com/redlinehq/redline/report/text"
)

// A format has a function for each kind of output; nil if the format lacks it.
type format struct {
	results     func(w io.Writer, all []*finding.Result, stats bool) error
	review      func(io.Writer, *finding.Review, finding.FailOn) error
	negotiation func(io.Writer, *finding.Negotiation) error
	settings    func(io.Writer, text.InForce) error
	replay      func(io.Writer, *conform.Answer) error
	history     func(context.Context, io.Writer, *history.History, *history.Answer) error
	verified    func(io.Writer, *store.Report) error
}

// formatNames lists the formats in the order of the help text.
var formatNames = []string{"text", "markdown", "json", "sarif", "junit", "html"}

// formats maps names to output formats. To add one, name it above and list its functions here.
var formats = map[string]*format{
	"text": {
		results: func(w io.Writer, all []*finding.Result, stats bool) error {
			style := styleOf(w)
			style.Stats = stats
			return text.Results(w, all, style)
		},
		review:      func(w io.Writer, r *finding.Review, _ finding.FailOn) error { return text.Review(w, r, styleOf(w)) },
		negotiation: func(w io.Writer, n *finding.Negotiation) error { return text.Negotiation(w, n, styleOf(w)) },
		settings:    func(w io.Writer, s text.InForce) error { return text.Settings(w, s, styleOf(w)) },
		replay:      func(w io.Writer, a *conform.Answer) error { return text.Replay(w, a, styleOf(w)) },
		history:     history.Text,
		verified:    records.WriteVerified,
	},
	"markdown": {
		results: func(w io.Writer, all []*finding.Result, _ bool) error {
			_, err := io.WriteString(w, markdown.Results(all))
			return err
		},
		review: func(w io.Writer, r *finding.Review, _ finding.FailOn) error {
			_, err := io.WriteString(w, markdown.Review(r))
			return err
		},
		negotiation: func(w io.Writer, n *finding.Negotiation) error {
			_, err := io.WriteString(w, markdown.Negotiation(n))
			return err
		},
		history: history.Markdown,
	},
	"json": {
		results: func(w io.Writer, all []*finding.Result, _ bool) error {
			return json.WriteResults(w, all, app.Version())
		},
		review: func(w io.Writer, r *finding.Review, _ finding.FailOn) error {
			return json.WriteReview(w, r, app.Version())
		},
		negotiation: func(w io.Writer, n *finding.Negotiation) error { return json.WriteNegotiation(w, n, app.Version()) },
		settings:    func(w io.Writer, s text.InForce) error { return json.WriteSettings(w, s, app.Version()) },
		replay:      func(w io.Writer, a *conform.Answer) error { return json.WriteReplay(w, a, app.Version()) },
		history: func(ctx context.Context, w io.Writer, h *history.History, a *history.Answer) error {
			return history.JSON(ctx, w, h, a, app.Version())
		},
		verified: records.WriteVerifiedJSON,
	},
	"sarif": {
		results: func(w io.Writer, all []*finding.Result, _ bool) error {
			return ci.SARIF(w, all, finding.FailAny, app.Version())
		},
		review: func(w io.Writer, r *finding.Review, on finding.FailOn) error {
			return ci.SARIFReview(w, r, on, app.Version())
		},
	},
	"junit": {
		results: func(w io.Writer, all []*finding.Result, _ bool) error { return ci.JUnit(w, all) },
		review:  ci.JUnitReview,
	},
	"html": {
		history: history.HTML,
	},
}

// addFormat adds the flag --format with the formats for which has is true; the first is the default.
func addFormat(cmd *cobra.Command, has func(*format) bool) *option.Choice {
	var words []string
	for _, name := range formatNames {
		if has(formats[name]) {
			words = append(words, name)
		}
	}
	return option.AddChoice(cmd, "format", "how to tell it", words...)
}

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/text"
)

func explainCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [CODE]",
		Short: "Explain a code, or list them all",
		Example: `  redline explain
  redline explain dead-end`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return allCodes(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listCodes(s)
			}
			page, ok := codes.Lookup(codes.Code(args[0]))
			if !ok {
				return unknownCode(args[0])
			}
			p := &text.Page{Style: styleOf(s.out)}
			p.Say(0, fmt.Sprintf("%s (%s, %s)", page.Title, page.Code, page.Class))
			p.Markdown(page.Text)
			_, err := io.WriteString(s.out, p.String())
			return err
		},
	}
}

func unknownCode(name string) error {
	hint := "'redline explain' lists all"
	if near := hclspec.Nearest(name, allCodes()); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return fmt.Errorf("there is no code %q: %s", name, hint)
}

func allCodes() []string {
	var list []string
	for _, c := range codes.All() {
		list = append(list, string(c))
	}
	return list
}

func listCodes(s streams) error {
	var b strings.Builder
	width := 0
	for _, c := range codes.All() {
		width = max(width, len(c))
	}
	for _, c := range codes.All() {
		page, _ := codes.Lookup(c)
		fmt.Fprintf(&b, "%-*s %-8s %s\n", width, c, page.Class, page.Title)
	}
	_, err := fmt.Fprint(s.out, b.String())
	return err
}

func versionCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: `  redline version`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(s.out, "redline "+app.Version())
			return err
		},
	}
}

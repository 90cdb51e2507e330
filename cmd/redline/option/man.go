package option

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// roff escapes text for a manual page: what begins a request, hyphens that are typed as such, and backslashes.
var roff = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'")

// Man writes the manual page of a command and all below it, in man's macros (man 7 man).
func Man(w io.Writer, root *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"%s\"\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %[3]s\n.I COMMAND\n.SH DESCRIPTION\n%[5]s\n", strings.ToUpper(root.Name()), roff.Replace(root.Name()+" "+root.Version),
		root.Name(), roff.Replace(strings.ToLower(root.Short[:1])+root.Short[1:]), paragraphs(root.Long))
	manFlags(&b, root.PersistentFlags())
	for _, g := range append(root.Groups(), &cobra.Group{Title: "More:"}) {
		fmt.Fprintf(&b, ".SH %s\n", strings.ToUpper(roff.Replace(strings.TrimSuffix(g.Title, ":"))))
		for _, c := range root.Commands() {
			if c.GroupID != g.ID || !c.IsAvailableCommand() {
				continue
			}
			fmt.Fprintf(&b, ".SS %s\n%s\n", roff.Replace(c.UseLine()), paragraphs(cmp.Or(c.Long, c.Short+".")))
			if c.Example != "" {
				fmt.Fprintf(&b, ".PP\n.nf\n%s\n.fi\n", roff.Replace(c.Example))
			}
			manFlags(&b, c.NonInheritedFlags())
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func paragraphs(text string) string {
	return strings.ReplaceAll(roff.Replace("\n" + strings.TrimSpace(text))[1:], "\n\n", "\n.PP\n")
}

// manFlags writes each flag as a tagged paragraph.
func manFlags(b *strings.Builder, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		kind, usage := pflag.UnquoteUsage(f)
		if f.Hidden || f.Name == "help" {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		switch f.DefValue {
		case "", "false", "[]", "0":
		default:
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(b, ".TP\n.BI \"%s \" %s\n%s\n", roff.Replace(name), roff.Replace(kind), roff.Replace(usage))
	})
}

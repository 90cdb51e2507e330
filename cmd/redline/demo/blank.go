package demo

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
)

// Most parties of a blank contract, and most letters of a name in it.
const (
	mostParties = 8
	mostLetters = 40
)

// partyName matches names that are safe wherever a blank contract uses them.
var partyName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*$`)

// reserved are the words that mean something else where a party is named.
var reserved = []string{"contract", "count", "document", "each", "event", "false", "for", "ideal", "local", "null", "param", "requirement", "terms", "tick", "time", "true", "var"}

// WriteBlank begins a contract between parties in a directory, which it returns, and writes to w what it wrote. The contract has the name of the directory
// if that can be one; without a directory, both are named after the parties. Every party signs, and owes its performance then.
func WriteBlank(w io.Writer, into string, parties []string) (dir string, err error) {
	if len(parties) < 2 || len(parties) > mostParties {
		return "", fmt.Errorf("name from 2 to %d parties, as in 'redline init --blank seller buyer'", mostParties)
	}
	name := parties[0] + "-" + parties[1]
	if len(parties) > 2 {
		name = parties[0] + "-and-others"
	}
	if own := filepath.Base(into); partyName.MatchString(own) && len(own) <= mostLetters && !slices.Contains(reserved, strings.ToLower(own)) && !slices.Contains(parties, own) {
		name = own
	}
	for i, p := range parties {
		switch {
		case !partyName.MatchString(p) || len(p) > mostLetters:
			return "", fmt.Errorf("%q can't be the name of a party here: a name is letters, digits and hyphens, begins with a letter, and has at most %d of them; what readers see is its title", p, mostLetters)
		case slices.Contains(reserved, strings.ToLower(p)) || p == name:
			return "", fmt.Errorf("%q means something else in a contract: give the party another name", p)
		case slices.ContainsFunc(parties[:i], func(q string) bool { return strings.EqualFold(p, q) }):
			return "", fmt.Errorf("two parties are named %q", p)
		}
	}
	if err := writeContract(w, cmp.Or(into, name), fmt.Sprintf("redline init --blank %s --dir another", strings.Join(parties, " ")), blank(name, parties)); err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(w, "The parties are %s.\n", listed(parties))
	return cmp.Or(into, name), err
}

// blank returns the files of a contract between parties.
func blank(name string, parties []string) (files []file) {
	var signing, performing, terms, done strings.Builder
	for i, p := range parties {
		of := strings.NewReplacer("PARTY", p, "Party", titled(p), "OTHER", parties[(i+1)%len(parties)])
		files = append(files, file{p + ".contract.hcl", of.Replace(blankParty)})
		signing.WriteString(of.Replace("    PARTY = sign\n"))
		performing.WriteString(of.Replace(blankEvent))
		terms.WriteString(of.Replace(blankObligation))
		done.WriteString(of.Replace(" && PARTY.done"))
	}
	all := strings.NewReplacer("NAME", name, "PARTIES", listed(parties), "SIGNING", signing.String(), "DONE", strings.TrimPrefix(done.String(), " && "))
	files = append(files, file{name + ".contract.hcl", all.Replace(blankContract) + performing.String()}, file{"terms.contract.hcl", blankTerms + terms.String() + all.Replace(blankPromise)})
	for i, f := range files {
		files[i].text = string(hclwrite.Format([]byte(f.text)))
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files
}

// listed returns names as part of a sentence.
func listed(names []string) string {
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// titled returns a name as it begins a sentence.
func titled(name string) string {
	return strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "-", " ")
}

const (
	blankContract = `# What happens. Each party has a file of its own; what is owed and what is promised is in terms.contract.hcl.
# The language: https://github.com/redlinehq/redline/blob/main/hclspec/README.md
contract "NAME" {
  title = "Contract between PARTIES"
  final = "DONE"
}

# An event is what parties do together. Each of them says in its own file when it can.
event "signing" {
  title  = "all parties sign"
  clause = "1"
  sync = {
SIGNING  }
}
`
	blankEvent = `
event "PARTY-performs" {
  title = "the PARTY performs"
  sync = {
    PARTY = perform
  }
}
`
	blankParty = `# Where the PARTY may be, and what moves it.
party "PARTY" {
  title = "Party"

  state "free" { title = "not bound" }
  state "bound" { title = "bound by the contract" }
  state "done" { title = "has performed" }

  transition "sign" {
    from = free
    to   = bound
  }

  transition "perform" {
    from = bound
    to   = done
  }
}
`
	blankObligation = `obligation "PARTY-owes" {
  title        = "perform"
  clause       = "2"
  bearer       = PARTY
  counterparty = OTHER
  when         = signing
  fulfil       = PARTY-performs
}

`
	blankTerms = `# What is owed. A deadline is within = "4 weeks".
# What follows a breach is ends_contract = true, or another obligation as its reparation.
`
	blankPromise = `# What is promised: it is checked in every situation that can come about.
requirement "performed" {
  title    = "When everybody keeps the contract, everybody has performed in the end"
  over     = ideal
  sometime = "DONE"
}
`
)

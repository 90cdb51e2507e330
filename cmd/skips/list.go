package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// A rule says that tests may be skipped.
type rule struct {
	tier string // one of tiers, or a system: linux, darwin, windows
	pkg  string // below the module
	test string // a pattern of path.Match
}

// tiers are the reasons for which a test may be skipped.
var tiers = []string{
	"nightly", // too slow for every change: REDLINE_HEAVY runs it
	"asked",   // runs when its variable is set
	"tool",    // needs a program that .ci/run installs
	"fetched", // needs other people's data, which .ci/corpora fetches
	"corpus",  // needs other people's data, which nothing fetches
	"machine", // depends on who runs it, or on how fast the machine is
}

var systems = []string{"linux", "darwin", "windows"}

// readList reads a list: a rule on each line that is not empty and no comment.
func readList(text string) ([]rule, error) {
	var list []rule
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		field := strings.Fields(line)
		if len(field) == 0 {
			continue
		}
		if len(field) != 3 || !slices.Contains(tiers, field[0]) && !slices.Contains(systems, field[0]) {
			return nil, fmt.Errorf("line %d: expected TIER PACKAGE TEST, where TIER is one of %s", i+1, strings.Join(append(slices.Clone(tiers), systems...), ", "))
		}
		if _, err := path.Match(field[2], ""); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		list = append(list, rule{field[0], field[1], field[2]})
	}
	return list, nil
}

// surroundings decide which tiers may be skipped.
type surroundings struct {
	system  string
	heavy   bool // REDLINE_HEAVY is set
	strict  bool // .ci/run has installed the tools
	fetched bool // what .ci/corpora fetches is here
	corpus  bool // the other corpora are here
}

// tier returns the tier for which a test may be skipped in some surroundings, or "".
func (s surroundings) tier(list []rule, pkg, test string) string {
	for _, r := range list {
		if ok, _ := path.Match(r.test, test); ok && r.pkg == pkg && s.applies(r.tier) {
			return r.tier
		}
	}
	return ""
}

func (s surroundings) applies(tier string) bool {
	switch tier {
	case "nightly":
		return !s.heavy
	case "tool":
		return !s.strict
	case "fetched":
		return !s.fetched
	case "corpus":
		return !s.corpus
	case "asked", "machine":
		return true
	}
	return tier == s.system
}

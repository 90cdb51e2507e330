package settings

import (
	"slices"
	"strings"
	"time"
)

// A field is a setting, bound to the Settings it is part of.
type field struct {
	block string // empty: it stands outside of blocks
	key   string
	value func() any
	read  func(v *value) // sets it, or reports why not
}

func (f field) name() string {
	if f.block == "" {
		return f.key
	}
	return f.block + "." + f.key
}

// blocks are those there are, in the order of the reference.
var blocks = []string{"limits", "comment"}

const (
	maxStates = 1_000_000_000_000
	maxJobs   = 1_000
)

// fields are all settings, in the order of the reference.
func (s *Settings) fields() []field {
	return []field{
		word("", "fail-on", &s.FailOn, "new", "any", "never"),
		{"", "paths", listed(&s.Paths), func(v *value) { v.patterns(&s.Paths) }},
		{"", "ignore", listed(&s.Ignore), func(v *value) { v.patterns(&s.Ignore) }},
		{"", "observe", listed(&s.Observe), func(v *value) { v.names(&s.Observe) }},
		truth("", "record", &s.Record),
		whole("limits", "states", &s.Limits.States, 0, maxStates),
		{"limits", "memory", func() any { return s.Limits.Memory }, func(v *value) { v.memory(&s.Limits.Memory) }},
		{"limits", "timeout", func() any { return shortest(s.Limits.Timeout) }, func(v *value) { v.duration(&s.Limits.Timeout) }},
		whole("limits", "jobs", &s.Limits.Jobs, 1, maxJobs),
		truth("comment", "summary", &s.Comment.Summary),
		truth("comment", "inline", &s.Comment.Inline),
		truth("comment", "suggestions", &s.Comment.Suggestions),
		truth("", "check-run", &s.CheckRun),
		truth("", "status", &s.Status),
		{"", "sarif", func() any { return s.SARIF }, func(v *value) { v.file(&s.SARIF) }},
	}
}

func listed(to *[]string) func() any {
	return func() any { return append([]string{}, *to...) }
}

func word(block, key string, to *string, words ...string) field {
	return field{block, key, func() any { return *to }, func(v *value) { v.word(to, words) }}
}

func truth(block, key string, to *bool) field {
	return field{block, key, func() any { return *to }, func(v *value) { v.truth(to) }}
}

func whole(block, key string, to *int, least, most int) field {
	return field{block, key, func() any { return *to }, func(v *value) { v.whole(to, least, most) }}
}

// shortest writes a time without the zeros at its end: 10m for 10m0s.
func shortest(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// keysIn names the settings of a block, in order.
func keysIn(all []field, block string) []string {
	var keys []string
	for _, f := range all {
		if f.block == block {
			keys = append(keys, f.key)
		}
	}
	return keys
}

// blockOf names the block in which a setting stands that is looked for elsewhere; false: there is no such setting.
func blockOf(all []field, key string) (string, bool) {
	i := slices.IndexFunc(all, func(f field) bool { return f.key == key })
	if i < 0 {
		return "", false
	}
	return all[i].block, true
}

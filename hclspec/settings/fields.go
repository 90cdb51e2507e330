package settings

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// A field is a setting, bound to the Settings it is part of.
type field struct {
	block string // empty: outside of blocks
	key   string
	at    any            // *string, *bool, *int, *time.Duration, *[]string or *[]Approvers
	read  func(v *value) // sets it, or reports why not
}

func (f field) name() string {
	if f.block == "" {
		return f.key
	}
	return f.block + "." + f.key
}

// value returns the value of the field, in the types of Setting.Value.
func (f field) value() any {
	switch at := f.at.(type) {
	case *string:
		return *at
	case *bool:
		return *at
	case *int:
		return *at
	case *time.Duration:
		return shortest(*at)
	case *[]Approvers:
		lines := []string{}
		for _, a := range *at {
			lines = append(lines, a.String())
		}
		return lines
	}
	return append([]string{}, *f.at.(*[]string)...)
}

// set parses a value from outside of the file, such as a flag.
func (f field) set(text string) (err error) {
	switch at := f.at.(type) {
	case *string:
		*at = text
	case *bool:
		*at, err = strconv.ParseBool(text)
	case *int:
		*at, err = strconv.Atoi(text)
	case *time.Duration:
		*at, err = time.ParseDuration(text)
	case *[]string:
		if *at = nil; text != "" {
			*at = strings.Split(text, ",")
		}
	}
	return err
}

// blocks are the types of blocks, in the order of the reference.
var blocks = []string{"limits", "comment"}

// retireBlock is the only type of block that may occur several times.
const retireBlock = "retire"

const (
	maxStates = 1_000_000_000_000
	maxJobs   = 1_000
)

// fields returns all settings, in the order of the reference.
func (s *Settings) fields() []field {
	return []field{
		{"", "fail-on", &s.failOn, func(v *value) { v.word(&s.failOn, "new", "any", "never") }},
		{"", "paths", &s.Paths, func(v *value) { v.patterns(&s.Paths) }},
		{"", "ignore", &s.Ignore, func(v *value) { v.patterns(&s.Ignore) }},
		{"", "acceptance", &s.Acceptance, func(v *value) { v.word(&s.Acceptance, "approved", "base", "amendment") }},
		{"", "approvers", &s.Approvers, func(v *value) { v.approvers(&s.Approvers) }},
		{"", "owed", &s.Owed, func(v *value) { v.word(&s.Owed, "tell", "fail") }},
		{"", "observe", &s.Observe, func(v *value) { v.names(&s.Observe) }},
		truth("", "record", &s.Record),
		{"limits", "states", &s.Limits.States, func(v *value) { v.whole(&s.Limits.States, 0, maxStates) }},
		{"limits", "memory", &s.Limits.Memory, func(v *value) { v.memory(&s.Limits.Memory) }},
		{"limits", "timeout", &s.Limits.Timeout, func(v *value) { v.duration(&s.Limits.Timeout) }},
		{"limits", "jobs", &s.Limits.jobs, func(v *value) { v.whole(&s.Limits.jobs, 1, maxJobs) }},
		truth("comment", "summary", &s.Comment.Summary),
		truth("comment", "inline", &s.Comment.Inline),
		truth("comment", "suggestions", &s.Comment.Suggestions),
		truth("", "check-run", &s.CheckRun),
		truth("", "status", &s.Status),
		{"", "sarif", &s.SARIF, func(v *value) { v.file(&s.SARIF) }},
	}
}

func truth(block, key string, at *bool) field {
	return field{block, key, at, func(v *value) { v.truth(at) }}
}

// shortest formats a time without the zeros at its end: 10m for 10m0s.
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

// keysIn returns the settings of a block, in order.
func keysIn(all []field, block string) []string {
	var keys []string
	for _, f := range all {
		if f.block == block {
			keys = append(keys, f.key)
		}
	}
	return keys
}

// blockOf returns the block that a setting belongs to; false if there is no such setting.
func blockOf(all []field, key string) (string, bool) {
	i := slices.IndexFunc(all, func(f field) bool { return f.key == key })
	if i < 0 {
		return "", false
	}
	return all[i].block, true
}

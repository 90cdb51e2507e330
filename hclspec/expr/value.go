package expr

import (
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Describe names the kind of a value, as in "This is a list."
func Describe(v cty.Value) string {
	switch t := v.Type(); {
	case v.IsNull():
		return "nothing (null)"
	case t == cty.String:
		return "a text"
	case t == cty.Number:
		return "a number"
	case t == cty.Bool:
		return "true or false"
	case t.IsObjectType() || t.IsMapType():
		return "an object"
	}
	return "a list"
}

// truths maps words that other languages have for true and false.
var truths = map[string]string{"true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false"}

// DescribeFor describes a value where one of a type is expected, and what to write if the value is a word for it in quotes.
func DescribeFor(t cty.Type, v cty.Value) string {
	if t == cty.Bool && !v.IsNull() && v.Type() == cty.String {
		if truth := truths[strings.ToLower(v.AsString())]; truth != "" {
			return Describe(v) + ": write " + truth + ", without quotes"
		}
	}
	return Describe(v)
}

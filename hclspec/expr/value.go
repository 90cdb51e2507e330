package expr

import "github.com/zclconf/go-cty/cty"

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

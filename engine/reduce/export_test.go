package reduce

import "strings"

// String returns the names of all that is needed.
func (n needSet) String() string {
	var list []string
	for i, name := range []string{"next", "nested", "forever", "dead"} {
		if n>>i&1 != 0 {
			list = append(list, name)
		}
	}
	if len(list) == 0 {
		return "reach"
	}
	return strings.Join(list, "+")
}

// Rules is the number of rules.
const Rules = rules

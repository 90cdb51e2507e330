package ctl

import "testing"

// TestFolded: a constant leaves nothing of what it decides, and of all else nothing goes.
func TestFolded(t *testing.T) {
	for text, want := range map[string]string{
		"!true": "false", "!false": "true", "!p": "!p",
		"false && p": "false", "p && false": "false", "true && p": "p", "p && true": "p", "p && q": "p && q",
		"true || p": "true", "p || true": "true", "false || p": "p", "p || false": "p", "p || q": "p || q",
		"false -> p": "true", "p -> true": "true", "true -> p": "p", "p -> false": "p -> false", "p -> q": "p -> q",
		"A[false W p]": "p", "A[true W p]": "true", "A[p W true]": "true", "A[p W false]": "A[p W false]", "A[p W q]": "A[p W q]",
		"A[false U p]": "p", "A[true U p]": "A[true U p]", "A[p U true]": "true", "A[p U false]": "false", "A[p U q]": "A[p U q]",
		"AX true": "true", "AX false": "AX false", "AX p": "AX p", "EX true": "EX true",
		"AF true": "true", "AF false": "false", "AF p": "AF p", "AG true": "true", "AG false": "false", "AG p": "AG p",
		"AG (p -> AX (q && false))": "AG (p -> AX false)", "AG (p || A[q || true W p])": "true",
	} {
		f, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := folded(f).CTL(); got != want || f.CTL() != text {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	copied, err := Parse("p || true")
	if err != nil {
		t.Fatal(err)
	}
	copied.Role = "of"
	if folded(copied) != copied {
		t.Error("a copy of an operand is not left as it is")
	}
}

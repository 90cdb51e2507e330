package record

import "strings"

// Forms of texts. They are written out: compiled patterns would cost every command a millisecond at its start.

func Only(s, characters string) bool { return strings.Trim(s, characters) == "" }

const HexDigits, decimals = "0123456789abcdef", "0123456789"

// isHex is of a SHA-256 in hexadecimal digits.
func isHex(s string) bool { return len(s) == 64 && Only(s, HexDigits) }

// IsCommit is of an id of either of git's object formats.
func IsCommit(s string) bool { return (len(s) == 40 || len(s) == 64) && Only(s, HexDigits) }

func IsDigest(s string) bool {
	rest, ok := strings.CutPrefix(s, "sha256:")
	return ok && isHex(rest)
}

// IsRef is of the name of a record.
func IsRef(s string) bool {
	rest, ok := strings.CutPrefix(s, Refs)
	digest, run, both := strings.Cut(rest, "/")
	return ok && both && isHex(digest) && isHex(run)
}

// isCount is of a decimal number, or of none.
func isCount(s string) bool {
	return len(s) <= maxDigits && Only(s, decimals) && (len(s) < 2 || s[0] != '0')
}

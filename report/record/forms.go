package record

import "strings"

// These checks are written out because compiling patterns would cost every command a millisecond at its start.

// only reports whether s consists of the given characters only. The empty string does.
func only(s, characters string) bool { return strings.Trim(s, characters) == "" }

const hexDigits, decimals = "0123456789abcdef", "0123456789"

// isHex reports whether s is a SHA-256 in lower-case hexadecimal digits.
func isHex(s string) bool { return len(s) == 64 && only(s, hexDigits) }

// IsCommit reports whether s has the form of a commit id in one of git's object formats: 40 or 64 lower-case hexadecimal digits.
func IsCommit(s string) bool { return (len(s) == 40 || len(s) == 64) && only(s, hexDigits) }

// IsDigest reports whether s has the form "sha256:" and 64 lower-case hexadecimal digits.
func IsDigest(s string) bool {
	rest, ok := strings.CutPrefix(s, "sha256:")
	return ok && isHex(rest)
}

// IsRef reports whether s has the form of a record's ref, refs/redline/<digest>/<run>.
func IsRef(s string) bool {
	rest, ok := strings.CutPrefix(s, Refs)
	digest, run, both := strings.Cut(rest, "/")
	return ok && both && isHex(digest) && isHex(run)
}

// isCount reports whether s is a decimal number without leading zeros, or empty.
func isCount(s string) bool {
	return len(s) <= maxDigits && only(s, decimals) && (len(s) < 2 || s[0] != '0')
}

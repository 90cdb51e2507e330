package hclspec

import "strings"

// contractSuffix ends the name of every file of a contract.
const contractSuffix = ".contract.hcl"

// IsContractFile reports whether a file of this name belongs to a contract.
func IsContractFile(name string) bool { return strings.HasSuffix(name, contractSuffix) }

// MaxFileSize is the largest file of a contract, in bytes. Nothing reads more than one byte past it.
const MaxFileSize = 1 << 20

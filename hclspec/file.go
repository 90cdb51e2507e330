package hclspec

import "strings"

// ContractSuffix ends the name of every file of a contract.
const ContractSuffix = ".contract.hcl"

// IsContractFile reports whether a file of this name belongs to a contract.
func IsContractFile(name string) bool { return strings.HasSuffix(name, ContractSuffix) }

// MaxFileSize is the largest file of a contract, in bytes. Readers stop one byte past it.
const MaxFileSize = 1 << 20

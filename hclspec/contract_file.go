package hclspec

import (
	"io/fs"
	"strings"
)

const (
	contractSuffix = ".contract.hcl" // of every file of a contract
	maxContracts   = 10_000          // found under one root
	maxFindDepth   = 64              // of directories below the root
)

func isContractFile(e fs.DirEntry) bool { return IsContractFile(e.Name()) }

// IsContractFile reports whether a file of this name belongs to a contract.
func IsContractFile(name string) bool { return strings.HasSuffix(name, contractSuffix) }

// MaxFileSize is the largest file of a contract, in bytes. Nothing reads more than one byte past it.
const MaxFileSize = 1 << 20

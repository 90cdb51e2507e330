// Package hclspec reads contracts: directories of *.contract.hcl files.
package hclspec

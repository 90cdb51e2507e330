// Package format lays out the files of contracts in the one canonical way, so that two drafts differ only where their meaning or their
// prose does.
//
// Spaces and alignment are those of hclwrite, which the drafters of Terraform know. Blank lines are set here: a file is cut into lines, each line
// is classified by where it is in blocks and brackets, and pairs of neighbours decide whether a blank line goes between them. The result is compared
// with the source token by token. If anything but blanks and line ends would change, the source is returned as it was.
package format

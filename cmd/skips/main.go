// Command skips reads what go test -json prints, says which tests were skipped and why, and fails when one was that a list does not expect.
// What fails is printed as it comes; the last lines are those of go test, a package each.
//
//	go test -json ./... | go run ./cmd/skips .ci/skips
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go test -json ./... | skips LIST")
		os.Exit(2)
	}
	ok, err := run(os.Stdin, os.Stdout, os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "skips:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

package hclspec_test

import (
	"fmt"

	"github.com/redlinehq/redline/hclspec"
)

// Suggest what a misspelt name may have meant.
func ExampleNearest() {
	fmt.Println(hclspec.Nearest("delivred", []string{"paid", "delivered", "refused"}))
	// Output:
	// delivered
}

package report

import (
	"crypto/sha256"
	"fmt"
	"os"
	"testing"
)

// Schemas of version 1 are published, and what is published does not change: fields and kinds that came later are in the files of version 1.1.
func TestPublishedSchemasDoNotChange(t *testing.T) {
	t.Parallel()
	for name, digest := range map[string]string{
		"check":   "a925ded23361e1b22cf7b9133ef16d9a37c99e088cbcb88e11194ed713995716",
		"compare": "f865ddcb191324a6c48531397ada0e3b889d6a42dd0c9a4278bca12944403b32",
		"config":  "332bab985da2af46690ea320329b403052f28f226c4e48eb0f7626c14bbe6b39",
		"history": "60d8bf3cf0e4e82cd09f9c2cd36c587a38e4881e4753e193b0190ec4fca8e95b",
		"replay":  "9ec32ab970e1a499381a4be92fa39a7748ddb5815860b3ea44bc2b0845e6aa71",
		"review":  "ac02a21aed8b17f190e0e08d530c386059c3e7ffc9dd1692a8a695f9a8ab1e36",
	} {
		text, err := os.ReadFile("schema/" + name + "-v1.schema.json")
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != digest {
			t.Errorf("%s-v1.schema.json was changed: its digest is %s, and was %s", name, got, digest)
		}
	}
}

package construct

import (
	"maps"
	"slices"
	"testing"
)

// TestSynonymsAreWordsOfTheLanguage: each stands for blocks or attributes that there are.
func TestSynonymsAreWordsOfTheLanguage(t *testing.T) {
	for word, all := range synonyms {
		for _, meant := range all {
			in := func(b Block) bool { return slices.Contains(b.Attributes, meant) }
			if _, block := Blocks[meant]; !block && !slices.ContainsFunc(slices.Collect(maps.Values(Blocks)), in) {
				t.Errorf("%s stands for %s, which is no word of the language", word, meant)
			}
		}
	}
}

package compile

import "github.com/redlinehq/redline/hclspec"

// ClockPlaces returns, for each net with a clock, the places of the composed net that say how many ticks are left, fewest first.
func (d *Draft) ClockPlaces() (clocks [][]int) {
	at := map[*hclspec.Party]int{}
	for i, p := range d.AllPlaces {
		if p.Kind != hclspec.ClockLeft {
			continue
		}
		k, known := at[d.Owners[i]]
		if !known {
			k = len(clocks)
			at[d.Owners[i]], clocks = k, append(clocks, nil)
		}
		clocks[k] = append(clocks[k], i)
	}
	return clocks
}

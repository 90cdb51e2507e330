package dd

// Layers are the nodes of a diagram by their level, those made first first; Unit and Empty aside.
func (f *Forest) Layers(a Node) [][]Node {
	layers := make([][]Node, len(f.sizes))
	for _, n := range f.below(a) {
		layers[f.store[n]] = append(layers[f.store[n]], n)
	}
	return layers
}

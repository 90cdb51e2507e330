package dd

// Layers returns the nodes of a diagram by level, in the order in which they were made, without Unit and Empty.
func (f *Forest) Layers(a Node) [][]Node {
	layers := make([][]Node, len(f.sizes))
	f.freely(func() { copy(layers, f.below(a)) })
	return layers
}

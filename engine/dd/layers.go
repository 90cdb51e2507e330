package dd

// Layers are the nodes of a diagram by their level, those made first first; Unit and Empty aside.
func (f *Forest) Layers(a Node) [][]Node {
	layers := make([][]Node, len(f.sizes))
	f.freely(func() { copy(layers, f.below(a)) })
	return layers
}

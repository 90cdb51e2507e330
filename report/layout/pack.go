package layout

import "math/big"

// apart is the distance between parts, in pixels.
const apart = 28

// packed places parts side by side in rows, about one and a half times as wide as all are high.
func packed(sizes []Size) ([]Point, Size) {
	area, widest := 0, 0
	for _, s := range sizes {
		area += (s.Width + apart) * (s.Height + apart)
		widest = max(widest, s.Width)
	}
	limit := max(widest, root(area+area/2))
	corners := make([]Point, len(sizes))
	var at Point
	var all Size
	row := 0
	for i, s := range sizes {
		if at.X > 0 && at.X+s.Width > limit {
			at, row = Point{0, at.Y + row + apart}, 0
		}
		corners[i] = at
		all.Width, all.Height = max(all.Width, at.X+s.Width), max(all.Height, at.Y+s.Height)
		at.X, row = at.X+s.Width+apart, max(row, s.Height)
	}
	return corners, all
}

// root returns the integer square root.
func root(n int) int {
	return int(new(big.Int).Sqrt(big.NewInt(int64(max(n, 0)))).Int64())
}

package delta

// A heap is a priority queue of numbers, the least first.
type heap []uint32

func (h *heap) push(n uint32) {
	*h = append(*h, n)
	l := *h
	for i := len(l) - 1; i > 0 && l[i] < l[(i-1)/2]; i = (i - 1) / 2 {
		l[i], l[(i-1)/2] = l[(i-1)/2], l[i]
	}
}

func (h *heap) pop() uint32 {
	l := *h
	least := l[0]
	l[0] = l[len(l)-1]
	l = l[:len(l)-1]
	for i := 0; ; {
		j := 2*i + 1
		if j+1 < len(l) && l[j+1] < l[j] {
			j++
		}
		if j >= len(l) || l[i] <= l[j] {
			break
		}
		l[i], l[j] = l[j], l[i]
		i = j
	}
	*h = l
	return least
}

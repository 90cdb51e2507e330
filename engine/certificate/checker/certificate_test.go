package checker

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func drawCertificate(t *rapid.T) *Certificate {
	text := rapid.StringN(0, 10, 40)
	c := &Certificate{Contract: text.Draw(t, "contract"), Requirement: text.Draw(t, "requirement"), Formula: text.Draw(t, "formula"),
		Holds: rapid.Bool().Draw(t, "holds"), Nodes: []Part{}}
	c.Order = rapid.Permutation([]int{0, 1, 2, 3, 4}).Draw(t, "order")
	for level := 4; level >= 0; level-- {
		top := Node(len(c.Nodes) + 1)
		for range rapid.IntRange(0, 2).Draw(t, "nodes") {
			c.Nodes = append(c.Nodes, Part{level, Node(rapid.Int32Range(0, int32(top)).Draw(t, "low")), Node(rapid.Int32Range(1, int32(top)).Draw(t, "high"))})
		}
	}
	c.Sets = make([][]Ring, rapid.IntRange(0, 3).Draw(t, "sets"))
	for i := range c.Sets {
		c.Sets[i] = []Ring{}
		for range rapid.IntRange(0, 3).Draw(t, "rings") {
			c.Sets[i] = append(c.Sets[i], Ring{Node(rapid.IntRange(0, len(c.Nodes)+1).Draw(t, "set")), rapid.IntRange(-1, 3).Draw(t, "actor")})
		}
	}
	return c
}

func TestDecodeReadsWhatEncodeWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCertificate(t)
		got, err := Decode(Encode(c))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, c) {
			t.Fatalf("%+v was read as %+v", c, got)
		}
	})
}

func TestDecodeRefuses(t *testing.T) {
	good := Encode(&Certificate{Order: []int{1, 0}, Nodes: []Part{{1, None, Blank}, {0, Blank, 2}}, Sets: [][]Ring{{{3, -1}}}})
	if _, err := Decode(good); err != nil {
		t.Fatal(err)
	}
	sealed := func(body string) []byte {
		data := []byte(magic + body)
		sum := sha256.Sum256(data)
		return append(data, sum[:]...)
	}
	for name, data := range map[string][]byte{
		"nothing":               {},
		"cut short":             good[:len(good)-1],
		"other":                 []byte("PK"),
		"a place twice":         sealed("\x00\x00\x00\x01\x02\x00\x00\x00\x00"),
		"no such place":         sealed("\x00\x00\x00\x01\x02\x00\x02\x00\x00"),
		"a verdict of two":      sealed("\x00\x00\x00\x02\x00\x00\x00"),
		"a long number":         sealed("\x80\x00\x00\x00\x01\x00\x00\x00"),
		"more after the end":    sealed("\x00\x00\x00\x01\x00\x00\x00\x00"),
		"many nodes":            sealed("\x00\x00\x00\x01\x00\xff\xff\xff\xff\x0f\x00"),
		"a node above itself":   sealed("\x00\x00\x00\x01\x01\x00\x01\x00\x00\x01\x00"),
		"a node with none":      sealed("\x00\x00\x00\x01\x01\x00\x01\x00\x02\x02\x00"),
		"a node upside down":    sealed("\x00\x00\x00\x01\x02\x00\x01\x02\x00\x02\x01\x01\x02\x01\x00"),
		"a set there is not":    sealed("\x00\x00\x00\x01\x00\x00\x01\x01\x02\x00"),
		"a text longer than it": sealed("\x7f"),
	} {
		if c, err := Decode(data); !errors.Is(err, ErrIllFormed) {
			t.Errorf("%s: read as %+v, %v", name, c, err)
		}
	}
}

// FuzzDecode reads anything: with its checksum set right, so that it is read at all.
func FuzzDecode(f *testing.F) {
	f.Add(Encode(&Certificate{Contract: "sha256:0", Requirement: "r", Formula: "AG p", Holds: true, Order: []int{1, 0},
		Nodes: []Part{{1, None, Blank}, {0, Blank, 2}}, Sets: [][]Ring{{{3, -1}}, {{2, 0}, {3, 1}}}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > sha256.Size {
			body := data[:len(data)-sha256.Size]
			sum := sha256.Sum256(body)
			data = append(bytes.Clone(body), sum[:]...)
		}
		c, err := Decode(data)
		if err != nil {
			if !errors.Is(err, ErrIllFormed) {
				t.Fatal(err)
			}
			return
		}
		if !bytes.Equal(Encode(c), data) {
			t.Fatal("it is not written as it was read")
		}
	})
}

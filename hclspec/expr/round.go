package expr

import (
	"math/big"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// roundedBits is the precision at which a number is whole, for floor, ceil and round. HCL computes with 512 bits, in which 0.05 * 20 need not
// be 1. What differs from a whole number by less than one part in 2^400 is that number.
const roundedBits = 400

// rounding returns a function that makes a number whole. From is the fraction from which on it goes to the number after.
func rounding(whole func(x, floor *big.Float) *big.Float) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "number", Type: cty.Number}},
		Type:   function.StaticReturnType(cty.Number),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			x := args[0].AsBigFloat()
			if x.IsInf() {
				return args[0], nil
			}
			x = new(big.Float).SetPrec(roundedBits).Set(x)
			n, _ := x.Int(nil)
			floor := new(big.Float).SetInt(n)
			if floor.Cmp(x) > 0 {
				floor = new(big.Float).SetInt(n.Sub(n, big.NewInt(1)))
			}
			return cty.NumberVal(whole(x, floor)), nil
		},
	})
}

// after returns the whole number after another.
func after(floor *big.Float) *big.Float {
	n, _ := floor.Int(nil)
	return new(big.Float).SetInt(n.Add(n, big.NewInt(1)))
}

// floorOf, ceilOf and roundOf round down, up, and to the nearest whole number, a half away from 0.
var (
	floorOf = rounding(func(_, floor *big.Float) *big.Float { return floor })
	ceilOf  = rounding(func(x, floor *big.Float) *big.Float {
		if x.Cmp(floor) == 0 {
			return floor
		}
		return after(floor)
	})
	roundOf = rounding(func(x, floor *big.Float) *big.Float {
		beyond := new(big.Float).Sub(x, floor).Cmp(big.NewFloat(0.5))
		if beyond > 0 || beyond == 0 && x.Sign() > 0 {
			return after(floor)
		}
		return floor
	})
)

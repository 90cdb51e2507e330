// Package halt ends a computation at its first error. Functions between the one that began the computation and the operation that fails could
// only pass the error on. With Must and End they need not: both leave all of these functions at once, and Caught returns the error where the
// computation began. So nobody sees a result that is missing.
//
// A computation begins in a function that defers Caught, and has to begin anew in each goroutine. What a package exports returns its errors as results, but for the
// methods of dd.Session and those of ctl.Algebra that have no error to return, which are for use within a computation.
package halt

// A stop is the panic value that ends a computation.
type stop struct{ err error }

// Must returns v, or ends the computation if there is an error.
func Must[T any](v T, err error) T {
	if err != nil {
		End(err)
	}
	return v
}

// End ends the computation with an error.
func End(err error) { panic(stop{err}) }

// Caught puts in *err the error that ended a computation, if one did. It must be deferred.
func Caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case stop:
		*err = r.err
	default:
		panic(r)
	}
}

// Package words puts findings into sentences. It is the only place where a verdict becomes English; every format takes its sentences
// from here.
package words

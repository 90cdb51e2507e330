// Package words turns findings into sentences. It is the only place where a verdict becomes English. Every output format takes its
// sentences from here.
package words

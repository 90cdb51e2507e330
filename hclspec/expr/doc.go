// Package expr computes the expressions of a contract: texts, numbers, truth values and lists, out of variables, local values and a few
// pure functions.
//
// A contract is text from strangers, and a short expression can build a long value: replace applied to its own result squares its
// length each time. So each expression is weighed before it is evaluated. Its weight bounds from above the bytes that evaluation builds; it
// is the sum of what its parts weigh, and functions multiply (weigh.go). The weights of all expressions together are bounded too. Local values
// are settled in the order in which they need each other (Kahn 1962), so that each is weighed once.
//
// Formulas are texts as well. Spans follow the text of an evaluated formula back to the bytes of the source, through escapes,
// interpolations and heredocs, so that a mistake in a formula is shown where the drafter wrote it.
package expr

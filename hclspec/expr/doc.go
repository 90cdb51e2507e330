// Package expr computes the expressions of a contract: texts, numbers, truth values and lists, from variables, local values and a few pure
// functions.
//
// A contract is text from strangers, and a short expression can build a long value: replace applied to its own result squares its length each
// time. So each expression is weighed before it is evaluated. Its weight bounds from above the bytes that evaluation builds. It is the sum of
// the weights of its parts, and functions multiply (weigh.go). The weights of all expressions together are bounded too. Local values are
// evaluated in the order of their dependencies (Kahn 1962), so that each is weighed once.
//
// Formulas are texts as well. Spans map the text of an evaluated formula back to the bytes of the source, through escapes, interpolations and
// heredocs, so that a mistake in a formula is shown where the drafter wrote it.
package expr

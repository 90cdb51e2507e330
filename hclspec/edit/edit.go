// Package edit sees a contract's text as blocks within blocks, and the difference of two texts as the
// set of blocks that one of them adds, removes or changes. It makes the texts in between, in which some
// of these changes are made and others are not, and joins two amendments of one base. It knows HCL's grammar, and what the
// blocks are called, and nothing of what they mean: whoever asks for a text in between loads it and sees.
package edit

// Package blame finds out which changes of an amendment bring about a violation, and which small edits would mend it. It
// tries texts between the two versions, within counted limits, and checks again whatever it suggests. Compare is the whole review of one contract.
package blame

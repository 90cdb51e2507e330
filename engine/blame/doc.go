// Package blame finds the changes of an amendment that cause a violation, and small edits that repair it. It checks texts between the two
// versions, within counted limits, and checks every repair again. Compare is the whole review of one contract.
package blame

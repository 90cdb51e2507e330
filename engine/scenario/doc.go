// Package scenario decides scenarios: whether some run has given events in a given order, and what holds after each such run. It fires the
// net by the definitions of package petri, from one event to the next, and so visits only what these events lead through. No state model is
// needed, however many states the contract has.
//
// The runs of a scenario are those on which exactly its events happen, in its order. Transitions without an event may come between, any
// number of them, before the first event too; a run ends with the last event. What happens by itself may be left out: it happens where it is
// due and is not the next step, after the last step too. Where firing = all, the events of one step are next to each
// other in the scenario, in any order. A tick where no clock runs changes nothing: time may always pass where nothing waits for it.
//
// Cost: the markings between two events, each with the transitions that no event has and those of the next event. All are counted against
// Limits.
package scenario

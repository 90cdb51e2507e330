// Package bpmn makes contracts of collaborations in BPMN 2.0 (OMG formal/2011-01-03; ISO/IEC 19510): pools become parties, message flows
// become events.
//
// The XML is read within limits into a tree. Elements and flows are collected from it, and what redline cannot give a meaning is listed. Then each element becomes transitions,
// message flows become events between pools, and all of it is written as the text of a contract.
//
// # What an element becomes
//
// The meaning of sequence flows is that of the standard's chapter 13 for one instance of each process. A sequence flow is a place. What a token does at an element is a
// transition, at one moment:
//
//	start event          takes the token of "begin", the one place that is marked; several start events are a choice
//	task, of any kind    takes a token of one flow that arrives, and puts one on each flow that leaves
//	intermediate event   likewise
//	end event            takes a token, and marks a place of its own
//	exclusive gateway    for each flow that arrives and each that leaves, a transition: the choice is free, since conditions are about data
//	parallel gateway     takes a token of each flow that arrives, and puts one on each that leaves
//	event-based gateway  is one place with the flows around it: what comes first takes the token
//	message flow         two events, NAME-sent and NAME-received: the message waits in between, in a net called "messages", which has a counter for each flow
//	pool without process a party that can always send and receive; its message flows are one event each, since nothing would differ if messages waited
//
// A counter counts to 1: one message of a kind waits at most. Another that is sent meanwhile is the error counter-out-of-bounds, with the run that leads there, and nothing else
// is said; more of them wait if the contract has the counter count further. A flow that gets a second token is what redline calls a contact, and so is an end event that is
// reached twice.
//
// Whatever else has a meaning is refused, all of it at once, each with its id, line and column. What has none for the course of things (lanes, data,
// annotations, conditions) is left out, and said so.
package bpmn

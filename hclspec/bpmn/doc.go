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
//	start event          takes the token of "begin"; several start events are a choice. Without any, all elements begin that no flow reaches
//	task, of any kind    takes a token of one flow that arrives, and puts one on each flow that leaves. With several message flows it begins, sends and receives
//	                     each, in any order, and is done; a receive task waits for one of them
//	intermediate event   likewise; a time, a condition, or a signal that nothing sends, may come at any moment; two link events are a flow
//	end event            takes a token, and marks a place of its own; "terminate", and an error that nothing catches, also end all that goes on in the process
//	exclusive gateway    for each flow that arrives and each that leaves, a transition: the choice is free, since conditions are about data
//	inclusive gateway    puts tokens on any of the flows that leave, at least one, or on the default flow alone; so does whatever has flows with conditions. Where
//	                     flows arrive that one gateway splits it waits for those that it chose: of the others it has a token that nothing comes
//	parallel gateway     takes a token of each flow that arrives, and puts one on each that leaves
//	event-based gateway  is one place with the flows around it: what comes first takes the token
//	sub-process          begins, and is over when no token is in it: a counter has how many there are, unless there is only ever one
//	event at a border    may come while its task or sub-process goes on, once, and breaks it off unless cancelActivity is false. What goes on in a sub-process that
//	                     is broken off is cleared, token by token, before what follows. An error comes from the end events that raise it, if any are drawn
//	message flow         two events, NAME-sent and NAME-received: the message waits in between, in a net called "messages", which has a counter for each flow
//	signal               sent and waited for in the drawing: one event for each set of pools that hear it, those that wait just then. It is heard once, and not kept
//	pool without process a party that can always send and receive; its message flows are one event each, since nothing would differ if messages waited
//
// A counter of messages counts to the capacity, 1 unless another is asked for. Another message that is sent meanwhile is the error counter-out-of-bounds, with the run that
// leads there. With capacity 0 a message is sent and received at one moment. A flow that gets a second token is what redline calls a contact, and so is an end event that is reached
// twice, and a sub-process whose tokens are counted that is begun while it goes on.
//
// Whatever else has a meaning is refused, all of it at once, each with its id, line and column: compensation, transactions, sub-processes that an event begins, signals that a
// pool sends to itself or hears in several places, escalations that are caught while their sub-process goes on, inclusive gateways that join what no single gateway splits. What has none for the order of
// things (lanes, data, annotations, conditions) is left out, and counted in one warning.
package bpmn

// Package phase expands templates: parts of a contract that are written once and used by several phases.
//
// A template declares roles, nets, events and norms. Each phase casts parties of the contract in its roles, and expands to the blocks of the
// template: cloned, with values in place of param.NAME, and with the phase's name before each name that the template declares. This happens
// before anything is declared, so code that reads blocks afterwards treats them like blocks that a drafter wrote. Ranges stay those of the
// template, and messages point there. Formulas are still text at that time. They keep the full names of the template's names (Formula.Scope),
// and are renamed once they are parsed.
package phase

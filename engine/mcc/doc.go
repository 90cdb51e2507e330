// Package mcc answers the examinations of the Model Checking Contest (https://mcc.lip6.fr): its nets are PNML, its formulas
// XML, its answers lines of text.
package mcc

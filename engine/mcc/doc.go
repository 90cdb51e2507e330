// Package mcc answers the examinations of the Model Checking Contest (https://mcc.lip6.fr). Nets are PNML, formulas are XML, and answers are
// lines of text.
package mcc

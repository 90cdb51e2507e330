// Package mutants serves tests only: it changes source text, many changes in one build, of which a file turns on one (R. Untch,
// A. Offutt, M. J. Harrold, 1993, Mutation analysis using mutant schemata). A test that fails while a change is on has found it.
//
// There are two kinds of changes. Bypasses are planted by hand, from a list; each lets something past the gate. Mutants are mechanical: conditions are
// turned round, comparisons moved by one, operands, statements and results left out.
package mutants

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Files of a directory that a changed program reads, and writes to. No variables of the environment: tests that start the program keep those from it.
const (
	active = "active" // the number of the change that is on
	seen   = "seen"   // where there is this file: numbers of changes that are come by are appended
)

// switchSource returns the source that turns changes on, for a package that is changed. The linker sets its variable mutantDir, so that what is compiled is cached.
func switchSource(pkg string) []byte {
	return []byte(strings.NewReplacer("PACKAGE", pkg, "ACTIVE", strconv.Quote(active), "SEEN", strconv.Quote(seen)).Replace(`package PACKAGE

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

var (
	mutantDir  string
	mutantOn   = mutantActive()
	mutantSeen sync.Map
)

func mutantActive() int {
	text, _ := os.ReadFile(filepath.Join(mutantDir, ACTIVE))
	n, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return n
}

func mutant(n int) bool {
	if mutantOn == 0 {
		if _, known := mutantSeen.LoadOrStore(n, true); !known {
			if f, err := os.OpenFile(filepath.Join(mutantDir, SEEN), os.O_APPEND|os.O_WRONLY, 0); err == nil {
				fmt.Fprintln(f, n)
				f.Close()
			}
		}
	}
	return n == mutantOn
}

func mutantPick[T any](n int, changed, was T) T {
	if mutant(n) {
		return changed
	}
	return was
}
`))
}

// A mutant is one mechanical change.
type mutant struct {
	number int
	key    string // file, function, what is changed and how; the same as long as that text is
}

// An edit inserts text.
type edit struct {
	at   int
	text string
	// Of edits at one place, those that close come first, the inner one first; of those that open the outer one.
	closes bool
	size   int
}

type mutator struct {
	name    string // of the file
	src     []byte
	files   *token.FileSet
	next    int
	edits   []edit
	mutants []mutant
	keys    map[string]int
	in      string // the function
	results []*ast.FuncType
}

// mutate returns a file with every mutant in it, numbered from first on.
func mutate(name string, src []byte, first int) ([]byte, []mutant, error) {
	m := &mutator{name: name, src: src, files: token.NewFileSet(), next: first, keys: map[string]int{}}
	file, err := parser.ParseFile(m.files, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && f.Name.Name != "String" {
			m.in = f.Name.Name
			m.function(f.Type, f.Body)
		}
	}
	return m.applied(), m.mutants, nil
}

func (m *mutator) applied() []byte {
	slices.SortStableFunc(m.edits, func(a, b edit) int {
		switch {
		case a.at != b.at:
			return cmp.Compare(a.at, b.at)
		case a.closes != b.closes:
			return map[bool]int{true: -1, false: 1}[a.closes]
		case a.closes:
			return cmp.Compare(a.size, b.size)
		}
		return cmp.Compare(b.size, a.size)
	})
	var out bytes.Buffer
	at := 0
	for _, e := range m.edits {
		out.Write(m.src[at:e.at])
		out.WriteString(e.text)
		at = e.at
	}
	out.Write(m.src[at:])
	return out.Bytes()
}

// around puts text before and after a node.
func (m *mutator) around(n ast.Node, before, after string) {
	from, to := m.files.Position(n.Pos()).Offset, m.files.Position(n.End()).Offset
	m.edits = append(m.edits, edit{at: from, text: before, size: to - from}, edit{at: to, text: after, closes: true, size: to - from})
}

func (m *mutator) text(n ast.Node) string {
	return string(m.src[m.files.Position(n.Pos()).Offset:m.files.Position(n.End()).Offset])
}

// number notes a mutant of a node.
func (m *mutator) number(n ast.Node, how string) int {
	line, _, _ := strings.Cut(strings.Join(strings.Fields(m.text(n)), " "), " { ")
	if len(line) > 100 {
		line = line[:100] + "..."
	}
	key := fmt.Sprintf("%s %s: %s: %s", m.name, m.in, line, how)
	key = strings.Join(strings.Fields(key), " ") // an operand may be of several lines
	if m.keys[key]++; m.keys[key] > 1 {
		key += fmt.Sprintf(" (%d)", m.keys[key])
	}
	m.mutants = append(m.mutants, mutant{m.next, key})
	m.next++
	return m.next - 1
}

func (m *mutator) function(of *ast.FuncType, body *ast.BlockStmt) {
	m.results = append(m.results, of)
	ast.Inspect(body, m.visit)
	m.results = m.results[:len(m.results)-1]
}

func (m *mutator) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		m.function(n.Type, n.Body)
		return false
	case *ast.IfStmt:
		m.turn(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			m.turn(n.Cond)
		}
	case *ast.SwitchStmt:
		if n.Tag == nil {
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					m.turn(e)
				}
			}
		}
		m.statements(n.Body)
	case *ast.BlockStmt, *ast.CaseClause:
		m.statements(n)
	case *ast.BinaryExpr:
		m.binary(n)
	}
	return true
}

// turn turns a condition round.
func (m *mutator) turn(e ast.Expr) {
	m.around(e, fmt.Sprintf("(mutant(%d) != (", m.number(e, "turned")), "))")
}

// binary leaves out an operand of && or ||, and moves a comparison by one.
func (m *mutator) binary(e *ast.BinaryExpr) {
	switch e.Op {
	case token.LAND:
		for _, x := range []ast.Expr{e.X, e.Y} {
			m.around(x, fmt.Sprintf("(mutant(%d) || (", m.number(e, "without "+m.text(x))), "))")
		}
	case token.LOR:
		for _, x := range []ast.Expr{e.X, e.Y} {
			m.around(x, fmt.Sprintf("(!mutant(%d) && (", m.number(e, "without "+m.text(x))), "))")
		}
	case token.LSS, token.GTR:
		m.around(e, fmt.Sprintf("(mutant(%d) && (%s) == (%s) || (", m.number(e, "or equal"), m.text(e.X), m.text(e.Y)), "))")
	case token.LEQ, token.GEQ:
		m.around(e, fmt.Sprintf("(!(mutant(%d) && (%s) == (%s)) && (", m.number(e, "not equal"), m.text(e.X), m.text(e.Y)), "))")
	}
}

// statements leaves out statements, and has functions return nothing.
func (m *mutator) statements(of ast.Node) {
	var list []ast.Stmt
	switch of := of.(type) {
	case *ast.BlockStmt:
		list = of.List
	case *ast.CaseClause:
		list = of.Body
	}
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && m.text(call.Fun) != "panic" {
				m.leave(s)
			}
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE && m.text(s.Lhs[0]) != "_" {
				m.leave(s)
			}
		case *ast.IncDecStmt:
			m.leave(s)
		case *ast.BranchStmt:
			if s.Tok == token.CONTINUE || s.Tok == token.BREAK {
				m.leave(s)
			}
		case *ast.ReturnStmt:
			m.back(s)
		}
	}
}

func (m *mutator) leave(s ast.Stmt) {
	m.around(s, fmt.Sprintf("if !mutant(%d) { ", m.number(s, "left out")), " }")
}

// back has a return give zero values, and turns a result round that is a bool.
func (m *mutator) back(s *ast.ReturnStmt) {
	of := m.results[len(m.results)-1].Results
	if of == nil || len(s.Results) == 0 {
		return
	}
	var types []string
	for _, f := range of.List {
		for range max(len(f.Names), 1) {
			types = append(types, m.text(f.Type))
		}
	}
	zero := true
	for i, r := range s.Results {
		text := m.text(r)
		zero = zero && slices.Contains([]string{"nil", "false", "0", `""`}, text)
		if len(types) == len(s.Results) && types[i] == "bool" && text != "true" && text != "false" {
			m.turn(r)
		}
	}
	if zero || len(types) == 1 && types[0] == "bool" && len(s.Results) == 1 && m.text(s.Results[0]) != "true" {
		return
	}
	var vars, names []string
	for i, t := range types {
		vars, names = append(vars, fmt.Sprintf("var zero%d %s", i, t)), append(names, fmt.Sprintf("zero%d", i))
	}
	m.around(s, fmt.Sprintf("if mutant(%d) { %s; return %s }; ", m.number(s, "zero"), strings.Join(vars, "; "), strings.Join(names, ", ")), "")
}

package githubtest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A field of a GraphQL selection.
type field struct {
	name string
	args object // values; a variable is already its value
	of   []field
}

var lexeme = regexp.MustCompile(`^(?:[\s,]+|#[^\n]*)*([A-Za-z_]\w*|\$[A-Za-z_]\w*|-?\d+|"(?:[^"\\]|\\.)*"|[{}()\[\]:!=])`)

// A parser reads what this package's clients write of GraphQL (spec.graphql.org): one operation with variables,
// without fragments, directives and aliases.
type parser struct {
	rest      string
	token     string
	variables object
	declared  []string
	err       error
}

func parse(text string, variables object) (kind string, selection []field, err error) {
	p := &parser{rest: text, variables: variables}
	p.next()
	if kind = "query"; p.token == "query" || p.token == "mutation" {
		kind = p.token
		p.next()
		p.declarations()
	}
	selection = p.selection()
	if p.err == nil && (p.token != "" || strings.TrimSpace(p.rest) != "") {
		p.fail()
	}
	for name := range variables {
		if p.err == nil && !slices.Contains(p.declared, name) {
			p.err = fmt.Errorf("variable $%s is not declared", name)
		}
	}
	return kind, selection, p.err
}

func (p *parser) next() {
	m := lexeme.FindStringSubmatchIndex(p.rest)
	if m == nil {
		p.token = ""
		return
	}
	p.token, p.rest = p.rest[m[2]:m[3]], p.rest[m[1]:]
}

func (p *parser) fail() {
	if p.err == nil {
		p.err = fmt.Errorf("parse error on %q", p.token)
	}
}

func (p *parser) expect(token string) {
	if p.token != token {
		p.fail()
	}
	p.next()
}

func (p *parser) word() string {
	word := p.token
	if word == "" || !(word[0] == '_' || word[0] >= 'A') || strings.ContainsAny(word, "{}[]") {
		p.fail()
	}
	p.next()
	return word
}

// declarations reads ($a:T!,$b:[T]).
func (p *parser) declarations() {
	if p.token != "(" {
		return
	}
	for p.next(); p.token != ")" && p.err == nil; {
		if !strings.HasPrefix(p.token, "$") {
			p.fail()
		}
		name := strings.TrimPrefix(p.token, "$")
		p.declared = append(p.declared, name)
		p.next()
		p.expect(":")
		p.word()
		if p.token != "!" {
			continue
		}
		if p.next(); p.variables[name] == nil {
			p.err = fmt.Errorf("variable $%s was provided invalid value", name)
		}
	}
	p.expect(")")
}

func (p *parser) selection() []field {
	var all []field
	p.expect("{")
	for p.token != "}" && p.err == nil {
		f := field{name: p.word(), args: object{}}
		if p.token == "(" {
			f.args = p.arguments("(", ")")
		}
		if p.token == "{" {
			f.of = p.selection()
		}
		all = append(all, f)
	}
	p.expect("}")
	return all
}

func (p *parser) arguments(from, to string) object {
	all := object{}
	p.expect(from)
	for p.token != to && p.err == nil {
		name := p.word()
		p.expect(":")
		all[name] = p.value()
	}
	p.expect(to)
	return all
}

func (p *parser) value() any {
	token := p.token
	switch {
	case token == "{":
		return p.arguments("{", "}")
	case strings.HasPrefix(token, "$"):
		if !slices.Contains(p.declared, token[1:]) {
			p.err = fmt.Errorf("variable %s is not declared", token)
		}
		p.next()
		return p.variables[token[1:]]
	case strings.HasPrefix(token, `"`):
		p.next()
		return strings.Trim(token, `"`)
	}
	p.next()
	return token // a number or an enum's name
}

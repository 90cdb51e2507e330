package main

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// converter reads Markdown as GitHub does. HTML in it is left out.
var converter = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(gmhtml.WithXHTML(), renderer.WithNodeRenderers(util.Prioritized(blocks{}, 1))),
)

// render makes HTML of a part, with links led to where their targets are on the site.
func (m *siteMap) render(p *part) (string, error) {
	err := ast.Walk(p.body, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var err error
		var to string
		switch n := n.(type) {
		case *ast.Link:
			to, err = m.lead(p, string(n.Destination))
			n.Destination = []byte(to)
		case *ast.Image:
			to, err = m.picture(p, string(n.Destination))
			n.Destination = []byte(to)
		case *ast.FencedCodeBlock:
			n.SetAttributeString("root", p.root())
		}
		return ast.WalkContinue, err
	})
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = converter.Renderer().Render(&b, p.raw, p.body)
	return b.String(), err
}

// root returns the way from the part to the site's top.
func (p *part) root() string { return strings.Repeat("../", strings.Count(p.url, "/")) }

// anchors gives headings the names that GitHub gives them (as github.com/Flet/github-slugger derives them): small letters, a dash for each
// blank, letters, digits, dashes and underscores kept; the second of a name gets "-1".
type anchors map[string]bool

func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(string(value)))
	free := name
	for i := 1; a[free]; i++ {
		free = fmt.Sprintf("%s-%d", name, i)
	}
	a[free] = true
	return []byte(free)
}

func (a anchors) Put(value []byte) { a[string(value)] = true }

// blocks are those that look otherwise than goldmark has them: what is wider than a small screen can be moved with the keyboard.
type blocks struct{}

func (b blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, b.code)
	r.Register(ast.KindImage, b.image)
	r.Register(east.KindTable, b.table)
	r.Register(east.KindTableCell, b.cell)
}

const narrow = 30 // characters that any screen has room for

func (blocks) code(w util.BufWriter, raw []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.FencedCodeBlock)
	language := string(n.Language(raw))
	if _, code, ok := strings.Cut(infoOf(n, raw), "error="); ok {
		root, _ := n.AttributeString("root")
		fmt.Fprintf(w, "<p class=\"mistake\">A mistake: <a href=\"%scodes/%s.html\"><code>%[2]s</code></a></p>\n", root, html.EscapeString(code))
	}
	lines, widest := htmlLines(n, raw, language == "console")
	reach := ""
	if widest > narrow {
		reach = ` tabindex="0"`
	}
	fmt.Fprintf(w, "<pre class=\"%s\"%s><code>%s</code></pre>\n", html.EscapeString(language), reach, lines)
	return ast.WalkSkipChildren, nil
}

func infoOf(n *ast.FencedCodeBlock, raw []byte) string {
	if n.Info == nil {
		return ""
	}
	return string(n.Info.Value(raw))
}

// htmlLines are a block's lines; of a session, what is typed stands out.
func htmlLines(n ast.Node, raw []byte, session bool) (text string, widest int) {
	var b strings.Builder
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		line := string(at.Value(raw))
		widest = max(widest, len([]rune(line)))
		if typed, ok := strings.CutPrefix(line, "$ "); ok && session {
			fmt.Fprintf(&b, "<span class=\"prompt\">$ </span><kbd>%s</kbd>\n", html.EscapeString(strings.TrimSuffix(typed, "\n")))
			continue
		}
		b.WriteString(html.EscapeString(line))
	}
	return b.String(), widest
}

// image shows a picture of the repository's own, which render has put into its URL.
func (blocks) image(w util.BufWriter, raw []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		n := node.(*ast.Image)
		fmt.Fprintf(w, "<span class=\"picture\" tabindex=\"0\"><img src=\"%s\" alt=\"%s\" /></span>", n.Destination, html.EscapeString(inline(n, raw)))
	}
	return ast.WalkSkipChildren, nil
}

func (blocks) table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<div class=\"wide\" tabindex=\"0\"><table>\n")
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}

// cell makes no heading of a cell that says nothing.
func (blocks) cell(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "td"
	if n.Parent().Kind() == east.KindTableHeader && n.HasChildren() {
		tag = "th"
	}
	if entering {
		fmt.Fprintf(w, "<%s>", tag)
	} else {
		fmt.Fprintf(w, "</%s>\n", tag)
	}
	return ast.WalkContinue, nil
}

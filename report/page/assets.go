package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"strings"
	"sync"

	"github.com/redlinehq/redline/report/draw"
)

//go:embed page.html css/*.css js/*.js
var files embed.FS

// The files in the order in which a browser reads them.
var (
	styles  = []string{"colours", "page", "table", "stage", "pictures", "print"}
	scripts = []string{"net", "words", "pictures", "zoom", "share", "run", "player", "simulator", "stage", "filters", "start"}
)

// commonParts are the parts that all pages have in common.
type commonParts struct {
	template *template.Template
	style    template.CSS
	script   template.JS
	policy   string // the content security policy, which allows style and script by their digests
}

// common makes these parts on the first call, so that other commands do not pay for it.
var common = sync.OnceValue(func() *commonParts {
	o := &commonParts{template: template.Must(template.New("page.html").Funcs(template.FuncMap{"inPage": inPage}).ParseFS(files, "page.html"))}
	style := draw.SVGStyle() + together("css/", styles, ".css")
	script := "(() => {\n\"use strict\";\n" + together("js/", scripts, ".js") + "})();\n"
	o.style, o.script = template.CSS(style), template.JS(script)
	o.policy = "default-src 'none'; style-src '" + digest(style) + "'; script-src '" + digest(script) + "'; img-src data:; base-uri 'none'; form-action 'none'"
	return o
})

// inPage returns the data for the template of a contract.
func inPage(p *page, c *contract) any {
	return struct {
		Page     *page
		Contract *contract
	}{p, c}
}

// together joins files.
func together(dir string, names []string, ext string) string {
	var b strings.Builder
	for _, name := range names {
		text, err := files.ReadFile(dir + name + ext)
		if err != nil {
			panic(err) // cannot happen: the file is embedded
		}
		b.Write(text)
	}
	return b.String()
}

// digest returns the source expression for a text in a content security policy (W3C, Content Security Policy Level 3, 2.3.1).
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

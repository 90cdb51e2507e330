// Command sbom lists what a released binary is made of, in CycloneDX 1.6: the modules that the Go command recorded in
// it, and the standard library. It says the same of the same bytes.
//
//	go run ./cmd/sbom VERSION redline_linux_amd64 > redline_linux_amd64.cdx.json
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sbom VERSION BINARY")
		os.Exit(2)
	}
	if err := write(os.Stdout, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// A bom is the part of a CycloneDX document that we fill in (cyclonedx.org/docs/1.6/json).
type bom struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Version  int    `json:"version"`
	Metadata struct {
		Component component `json:"component"`
	} `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

func write(w io.Writer, version, binary string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	b := bom{Format: "CycloneDX", Spec: "1.6", Version: 1}
	made := module("application", info.Main.Path, version)
	made.Hashes = []hash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(raw))}}
	made.Ref += "#" + filepath.Base(binary)
	b.Metadata.Component = made
	b.Components = append(parts(info.Deps), module("library", "std", strings.TrimPrefix(info.GoVersion, "go")))
	all := dependency{Ref: made.Ref}
	for _, c := range b.Components {
		all.On = append(all.On, c.Ref)
	}
	b.Dependencies = []dependency{all} // of the binary on each; it does not record which module needs which
	to := json.NewEncoder(w)
	to.SetIndent("", "  ")
	return to.Encode(b)
}

func parts(modules []*debug.Module) []component {
	var list []component
	for _, m := range modules {
		if m.Replace != nil {
			m = m.Replace
		}
		list = append(list, module("library", m.Path, m.Version))
	}
	return list
}

// module names a Go module by its package URL (github.com/package-url/purl-spec, type golang).
func module(kind, path, version string) component {
	url := "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
	return component{Type: kind, Ref: url, Name: path, Version: version, PURL: url}
}

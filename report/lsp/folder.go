package lsp

import (
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/redlinehq/redline/hclspec/gitfs"
)

// A folder is a folder of the workspace. Nothing outside these is read.
type folder struct {
	path string // slash-separated, absolute
	tree fs.FS
	shut func() error
}

// openFolder opens the directory of a URI. It returns nil if there is none.
func openFolder(uri string) *folder {
	if p, ok := pathOf(uri); ok {
		return openPath(p)
	}
	return nil
}

func openPath(p string) *folder {
	tree, err := gitfs.WorkTree(filepath.FromSlash(p))
	if err != nil {
		return nil
	}
	return &folder{p, tree, tree.Close}
}

// within returns a path's name inside the folder, or false if it is outside.
func (f *folder) within(p string) (string, bool) {
	name, ok := strings.CutPrefix(p, strings.TrimSuffix(f.path, "/")+"/")
	return name, ok && fs.ValidPath(name) && name != "."
}

// pathOf returns the slash-separated absolute path of a file URI. "/C:/x" is "C:/x" on Windows.
func pathOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || !strings.HasPrefix(u.Path, "/") {
		return "", false
	}
	p := path.Clean(u.Path)
	if runtime.GOOS == "windows" {
		p = strings.TrimPrefix(p, "/")
	}
	return p, !strings.Contains(p, "\x00")
}

// uriOf returns the URI of a file inside the folder.
func (f *folder) uriOf(name string) string {
	p := path.Join(f.path, name)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

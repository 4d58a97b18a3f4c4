package main

import (
	"context"
	"io/fs"
	"path"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/q3dissect/q3dissect/docs"
)

// scheme begins the addresses of pages.
const scheme = "q3dissect://docs/"

// addPages adds the pages of the documentation as resources.
func addPages(s *mcp.Server) {
	err := fs.WalkDir(docs.Pages, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := docs.Pages.ReadFile(name)
		if err != nil {
			return err
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		s.AddResource(&mcp.Resource{
			URI: scheme + name, Name: name, Title: title, MIMEType: "text/markdown", Size: int64(len(text)),
			Description: "docs/" + path.Clean(name) + " of q3dissect",
		}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
				URI: req.Params.URI, MIMEType: "text/markdown", Text: string(text),
			}}}, nil
		})
		return nil
	})
	if err != nil {
		panic(err) // the pages are in the program
	}
}

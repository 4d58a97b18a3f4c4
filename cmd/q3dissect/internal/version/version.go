// Package version has the information for --version.
package version

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/render/schema"
)

// next is the newest version of CHANGES.md, which a build without a tag leads to.
const next = "0.3.0"

// release is set by whoever builds a release without its repository, from an archive or in an image:
// go build -ldflags '-X github.com/q3dissect/q3dissect/cmd/q3dissect/internal/version.release=0.3.0'.
var release string

// Info is what --version prints. Scripts may rely on its JSON keys.
type Info struct {
	Name string `json:"name"`
	// of the module, as packages have it: a tag without its v; without a tag 0.3.0-0.DATE-REVISION or 0.3.0-devel
	Version       string `json:"version"`
	Revision      string `json:"revision,omitempty"`
	Modified      bool   `json:"modified,omitempty"` // the working tree differed from the revision
	SchemaVersion int    `json:"schema_version"`
	Go            string `json:"go"`
	OS            string `json:"os"`
	Arch          string `json:"arch"`
}

// Read takes the version from the information that the go command put into the binary.
func Read() Info {
	v := Info{
		Name: "q3dissect", Version: next + "-devel", SchemaVersion: schema.Version,
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Version = spelling(build.Main.Version)
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// spelling returns the one spelling of a module's version, in --version, names of archives and packages. A revision
// before any tag is v0.0.0-DATE-REVISION for go; it gets the form that go gives to revisions before a known version.
func spelling(module string) string {
	version := strings.TrimPrefix(module, "v")
	if release != "" {
		version = strings.TrimPrefix(release, "v")
	}
	if version == "" || version == "(devel)" {
		return next + "-devel"
	}
	if untagged, ok := strings.CutPrefix(version, "0.0.0-"); ok {
		return next + "-0." + untagged
	}
	return version
}

// Text is --version, one line either way.
func Text(asJSON bool) []byte {
	v := Read()
	if asJSON {
		line, err := json.Marshal(v)
		if err != nil {
			panic(err) // made of strings and numbers
		}
		return append(line, '\n')
	}
	return fmt.Appendf(nil, "%s %s (records: schema %d; %s, %s/%s)\n", v.Name, v.Version,
		v.SchemaVersion, v.Go, v.OS, v.Arch)
}

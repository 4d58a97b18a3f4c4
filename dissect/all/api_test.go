package all_test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAPI compares the exported symbols of every public package with its api.txt, so that a change of the API is seen
// in review. -update writes the files.
func TestAPI(t *testing.T) {
	t.Parallel()
	for _, dir := range publicPackages(t) {
		name := filepath.Join(dir, "api.txt")
		got := strings.Join(exported(t, dir), "\n") + "\n"
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("%v: go test ./dissect/all -run TestAPI -update", err)
			continue
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s is another: go test ./dissect/all -run TestAPI -update (-want +got)\n%s", name, diff)
		}
	}
}

// publicPackages returns the folders of the packages that other modules can import, without commands.
func publicPackages(t *testing.T) (dirs []string) {
	t.Helper()
	for _, top := range []string{"dissect", "huffcodec", "reassembly"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(dir string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case !d.IsDir():
				return nil
			case d.Name() == "internal" || d.Name() == "testdata":
				return fs.SkipDir
			}
			if p, err := packageIn(dir); err == nil && len(p.GoFiles) > 0 {
				dirs = append(dirs, dir)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return dirs
}

// packageIn lists the files of a package, as they are on Linux.
func packageIn(dir string) (*build.Package, error) {
	linux := build.Default
	linux.GOOS, linux.GOARCH, linux.CgoEnabled = "linux", "amd64", false
	return linux.ImportDir(dir, 0)
}

// exported returns the exported symbols of a package, sorted, one a line: types with their fields and methods,
// functions, constants and variables.
func exported(t *testing.T, dir string) (lines []string) {
	t.Helper()
	p, err := packageIn(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				lines = append(lines, function(decl)...)
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					lines = append(lines, declared(decl.Tok, spec)...)
				}
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// function returns the line of an exported function, or of an exported method of an exported type.
func function(f *ast.FuncDecl) []string {
	if !f.Name.IsExported() {
		return nil
	}
	if f.Recv == nil {
		return []string{"func " + f.Name.Name + source(unnamed(f.Type))[len("func"):]}
	}
	receiver := source(f.Recv.List[0].Type)
	if !ast.IsExported(strings.TrimLeft(receiver, "*")) {
		return nil
	}
	return []string{"method (" + receiver + ") " + f.Name.Name + source(unnamed(f.Type))[len("func"):]}
}

// declared returns the lines of a declaration of types, constants or variables.
func declared(kind token.Token, spec ast.Spec) (lines []string) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if line := kind.String() + " " + name.Name; name.IsExported() {
				if spec.Type != nil {
					line += " " + source(spec.Type)
				}
				lines = append(lines, line)
			}
		}
	case *ast.TypeSpec:
		if spec.Name.IsExported() {
			lines = typeLines(spec)
		}
	}
	return lines
}

// typeLines returns the lines of a type: its kind, then its exported fields or methods.
func typeLines(spec *ast.TypeSpec) []string {
	name := spec.Name.Name
	if spec.TypeParams != nil {
		name += "[" + source(spec.TypeParams) + "]"
	}
	var members *ast.FieldList
	kind := "struct"
	switch of := spec.Type.(type) {
	case *ast.StructType:
		members = of.Fields
	case *ast.InterfaceType:
		members, kind = of.Methods, "interface"
	default:
		return []string{"type " + name + " " + source(unnamed(spec.Type))}
	}
	lines := []string{"type " + name + " " + kind}
	for _, m := range members.List {
		names := m.Names
		if names == nil { // embedded
			if embedded := source(m.Type); ast.IsExported(embedded[strings.LastIndexAny(embedded, "*.")+1:]) {
				lines = append(lines, "type "+spec.Name.Name+", "+embedded)
			}
		}
		for _, n := range names {
			if n.IsExported() {
				lines = append(lines, "type "+spec.Name.Name+", "+n.Name+" "+source(unnamed(m.Type)))
			}
		}
	}
	return lines
}

// unnamed returns a function's type without the names of its parameters and results, which are no part of an API, and
// other types as they are.
func unnamed(e ast.Expr) ast.Expr {
	f, ok := e.(*ast.FuncType)
	if !ok {
		return e
	}
	strip := func(list *ast.FieldList) *ast.FieldList {
		if list == nil {
			return nil
		}
		var types []*ast.Field
		for _, field := range list.List {
			for range max(len(field.Names), 1) {
				types = append(types, &ast.Field{Type: unnamed(field.Type)})
			}
		}
		return &ast.FieldList{List: types}
	}
	return &ast.FuncType{TypeParams: f.TypeParams, Params: strip(f.Params), Results: strip(f.Results)}
}

// source returns a part of the syntax tree as Go source, on one line.
func source(n any) string {
	var b strings.Builder
	switch n := n.(type) {
	case *ast.FieldList: // type parameters
		for i, f := range n.List {
			if i > 0 {
				b.WriteString(", ")
			}
			for j, name := range f.Names {
				if j > 0 {
					b.WriteString(", ")
				}
				b.WriteString(name.Name)
			}
			b.WriteString(" " + source(f.Type))
		}
	default:
		if err := printer.Fprint(&b, token.NewFileSet(), n); err != nil {
			panic(err) // it was parsed
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

package all_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestExportedAreDocumented: everything that is exported has a comment, which pkg.go.dev and editors show. A group of
// constants or variables may have one for all. Methods of types that are not exported need none.
func TestExportedAreDocumented(t *testing.T) {
	t.Parallel()
	err := eachGoFile(func(path string) error {
		if strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, name := range undocumented(f) {
			t.Errorf("%s: %s has no comment", set.Position(name.Pos()), name.Name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// undocumented returns the exported names of a file without a comment.
func undocumented(f *ast.File) (names []*ast.Ident) {
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Name.IsExported() && decl.Doc == nil && (decl.Recv == nil || receiver(decl.Recv.List[0].Type).IsExported()) {
				names = append(names, decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.IsExported() && spec.Doc == nil && (decl.Doc == nil || decl.Lparen.IsValid()) {
						names = append(names, spec.Name)
					}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						if name.IsExported() && spec.Doc == nil && spec.Comment == nil && decl.Doc == nil {
							names = append(names, name)
						}
					}
				}
			}
		}
	}
	return names
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		default:
			return e.(*ast.Ident)
		}
	}
}

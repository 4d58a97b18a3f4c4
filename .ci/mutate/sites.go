package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A mutant is one change.
type mutant struct {
	id      int
	at      string // file:line:column
	what    string // "a < b: a <= b"
	changed string // the expression or statement instead
	line    string // of the source

	reached bool
	killed  bool
	alone   bool // by tests other than those against the truth
}

// A site is a place with changes: an expression of a type, or a statement.
type site struct {
	start, end int    // in the file, in bytes
	typ        string // "" for a statement
	remove     bool   // a statement that the only change leaves out
	mutants    []*mutant
	inner      []*site
}

// A source is one file with its sites.
type source struct {
	name  string
	text  []byte
	sites []*site

	fset *token.FileSet
	pkg  *types.Package
	info *types.Info
	next *int
	used map[string]bool // names of imports
}

// load reads and type-checks a package and finds the sites of some of its files.
func load(dir string, patterns []string) ([]*source, error) {
	exports, files, err := list(dir)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range files {
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	pkg, err := conf.Check(dir, fset, parsed, info)
	if err != nil {
		return nil, err
	}
	var sources []*source
	id := 1
	for i, name := range files {
		if !slices.ContainsFunc(patterns, func(p string) bool { ok, _ := filepath.Match(p, name); return ok }) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		s := &source{name: filepath.Join(dir, name), text: text, fset: fset, pkg: pkg, info: info, next: &id, used: map[string]bool{}}
		for _, spec := range parsed[i].Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			s.used[path] = true
		}
		s.walk(parsed[i])
		sources = append(sources, s)
	}
	if len(sources) == 0 {
		return nil, errors.New("no files")
	}
	return sources, nil
}

// list returns the files of a package and the export data of what it imports.
func list(dir string) (exports map[string]string, files []string, err error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,GoFiles", "./"+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, err
	}
	exports = map[string]string{}
	d := json.NewDecoder(strings.NewReader(string(out)))
	for d.More() {
		var p struct {
			ImportPath, Export string
			GoFiles            []string
		}
		if err := d.Decode(&p); err != nil {
			return nil, nil, err
		}
		exports[p.ImportPath], files = p.Export, p.GoFiles // the package itself comes last
	}
	return exports, files, nil
}

// walk finds the sites of a file.
func (s *source) walk(file *ast.File) {
	var stack []*site
	add := func(n ast.Node, typ string, changes ...change) *site {
		at := &site{start: s.offset(n.Pos()), end: s.offset(n.End()), typ: typ}
		for _, c := range changes {
			if strings.Contains(c.text, "//") {
				continue
			}
			p := s.fset.Position(c.pos)
			at.mutants = append(at.mutants, &mutant{
				id: *s.next, at: fmt.Sprintf("%s:%d:%d", p.Filename, p.Line, p.Column), what: c.what, changed: strings.ReplaceAll(c.text, "\n", " "), line: s.line(p.Offset),
			})
			*s.next++
		}
		if len(stack) > 0 {
			outer := stack[len(stack)-1]
			outer.inner = append(outer.inner, at)
		} else {
			s.sites = append(s.sites, at)
		}
		return at
	}
	var visit func(n ast.Node)
	children := func(n ast.Node) {
		first := true
		ast.Inspect(n, func(c ast.Node) bool {
			if first {
				first = false
				return true
			}
			if c != nil {
				visit(c)
			}
			return false
		})
	}
	visit = func(n ast.Node) {
		switch n := n.(type) {
		case *ast.GenDecl:
			if n.Tok == token.CONST || n.Tok == token.IMPORT || n.Tok == token.TYPE {
				return
			}
		case *ast.ArrayType, *ast.FuncType, *ast.StructType, *ast.MapType, *ast.InterfaceType, *ast.Field:
			return
		case *ast.KeyValueExpr: // a key has to be a constant or a name
			visit(n.Value)
			return
		case *ast.SelectorExpr:
			if tv := s.info.Types[n]; tv.Value == nil {
				visit(n.X)
				return
			}
		case *ast.ForStmt:
			for _, c := range []ast.Node{n.Init, n.Cond, n.Body} {
				if v, ok := c.(ast.Stmt); ok && v != nil && c != n.Body && s.isNil(c) {
					continue
				} else if !s.isNil(c) {
					visit(c)
				}
			}
			return
		case *ast.CaseClause:
			for _, b := range n.Body {
				visit(b)
			}
			return
		}
		if e, ok := n.(ast.Expr); ok {
			tv := s.info.Types[e]
			if tv.IsType() || tv.IsBuiltin() || tv.IsVoid() {
				return
			}
			if tv.Value != nil {
				if c, ok := s.constant(e, tv); ok {
					add(e, s.typeOf(tv.Type), c)
				}
				return
			}
			if changes := s.changes(e); len(changes) > 0 && s.typeOf(tv.Type) != "" {
				stack = append(stack, add(e, s.typeOf(tv.Type), changes...))
				children(n)
				stack = stack[:len(stack)-1]
				return
			}
		}
		if c, remove, ok := s.statement(n); ok {
			at := add(n, "", c)
			at.remove = remove
			stack = append(stack, at)
			children(n)
			stack = stack[:len(stack)-1]
			return
		}
		children(n)
	}
	for _, d := range file.Decls {
		visit(d)
	}
}

func (s *source) isNil(n ast.Node) bool {
	switch n := n.(type) {
	case ast.Stmt:
		b, isBlock := n.(*ast.BlockStmt)
		return n == nil || isBlock && b == nil
	case ast.Expr:
		return n == nil
	}
	return n == nil
}

// line returns the line of the source around an offset.
func (s *source) line(offset int) string {
	from := bytes.LastIndexByte(s.text[:offset], '\n') + 1
	line, _, _ := bytes.Cut(s.text[from:], []byte("\n"))
	return strings.TrimSpace(string(line))
}

func (s *source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

func (s *source) raw(n ast.Node) string { return string(s.text[s.offset(n.Pos()):s.offset(n.End())]) }

// typeOf writes a type as the file can name it; "" if it cannot.
func (s *source) typeOf(t types.Type) string {
	ok := true
	name := types.TypeString(types.Default(t), func(p *types.Package) string {
		if p == s.pkg {
			return ""
		}
		ok = ok && s.used[p.Path()]
		return p.Name()
	})
	if !ok || strings.Contains(name, "invalid") || strings.Contains(name, "untyped") {
		return ""
	}
	return name
}

// A change is another text for a node.
type change struct {
	pos        token.Pos
	what, text string
}

// others are the operators that take the place of one.
var others = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.ADD}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.SHL: {token.SHR}, token.SHR: {token.SHL}, token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.AND}, token.AND_NOT: {token.AND},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR}, token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
}

// changes are those of an expression that is not a constant.
func (s *source) changes(e ast.Expr) []change {
	var list []change
	switch e := e.(type) {
	case *ast.BinaryExpr:
		for _, op := range others[e.Op] {
			if b, ok := s.info.Types[e].Type.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
				continue
			}
			text := s.raw(e.X) + " " + op.String() + " " + s.raw(e.Y)
			list = append(list, change{e.OpPos, s.raw(e) + " becomes " + op.String(), text})
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT || e.Op == token.SUB || e.Op == token.XOR {
			list = append(list, change{e.Pos(), s.raw(e) + " without " + e.Op.String(), s.raw(e.X)})
		}
	}
	return list
}

// constant makes a whole number one more, or a truth value the other.
func (s *source) constant(e ast.Expr, tv types.TypeAndValue) (change, bool) {
	b, ok := tv.Type.Underlying().(*types.Basic)
	if !ok || s.typeOf(tv.Type) == "" {
		return change{}, false
	}
	raw := s.raw(e)
	switch {
	case b.Info()&types.IsBoolean != 0:
		return change{e.Pos(), raw + " becomes the other", "!(" + raw + ")"}, true
	case b.Info()&types.IsInteger != 0 && tv.Value.Kind() == constant.Int:
		op := " + 1"
		if v, exact := constant.Uint64Val(tv.Value); !exact || v == 1<<8-1 || v == 1<<16-1 || v == 1<<32-1 || v == 1<<31-1 || v == 1<<15-1 || v > 1<<62 {
			op = " - 1"
		}
		return change{e.Pos(), raw + " becomes" + op, "(" + raw + ")" + op}, true
	}
	return change{}, false
}

// statement changes the direction of a step, or leaves a call or an assignment out.
func (s *source) statement(n ast.Node) (c change, remove, ok bool) {
	raw := func() string { return s.raw(n) }
	switch n := n.(type) {
	case *ast.IncDecStmt:
		op := "--"
		if n.Tok == token.DEC {
			op = "++"
		}
		return change{n.Pos(), raw() + " becomes " + op, s.raw(n.X) + op}, false, true
	case *ast.AssignStmt:
		if n.Tok == token.ASSIGN {
			return change{n.Pos(), raw() + " left out", ""}, true, true
		}
		op := map[token.Token]string{
			token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.OR_ASSIGN: "&=", token.AND_ASSIGN: "|=", token.XOR_ASSIGN: "|=",
			token.SHL_ASSIGN: ">>=", token.SHR_ASSIGN: "<<=", token.AND_NOT_ASSIGN: "|=",
		}[n.Tok]
		if b, isBasic := s.info.Types[n.Lhs[0]].Type.(*types.Basic); op == "" || isBasic && b.Info()&types.IsString != 0 {
			return c, false, false
		}
		return change{n.Pos(), raw() + " becomes " + op, s.raw(n.Lhs[0]) + " " + op + " " + s.raw(n.Rhs[0])}, false, true
	case *ast.ExprStmt:
		return change{n.Pos(), raw() + " left out", ""}, true, true
	}
	return c, false, false
}

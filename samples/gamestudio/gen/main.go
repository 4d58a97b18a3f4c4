// The program gen writes the synthetic captures of this folder anew:
//
//	go run ./samples/gamestudio/gen
//
// They are made of nothing but the public descriptions, by the package wire: no game has sent any of it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	dir := flag.String("o", filepath.Join("samples", "gamestudio"), "folder to write to")
	flag.Parse()
	if err := write(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// write writes every capture.
func write(dir string) error {
	files, err := captures()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.name), f.data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

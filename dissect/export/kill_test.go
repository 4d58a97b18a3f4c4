package export

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// childFolder names the folder that a child of the tests exports to, over and over.
const childFolder = "Q3DISSECT_TEST_EXPORT"

// TestMain is also the child: it writes a line before every operation, and exports until it is killed, or until two
// exports have come to their end.
func TestMain(m *testing.M) {
	dir := os.Getenv(childFolder)
	if dir == "" {
		os.Exit(m.Run())
	}
	run, letter := exportings[os.Args[1]], os.Args[2]
	for done := 0; done < 2; {
		f := fault{space: -1, note: func() { fmt.Println() }}
		switch err := run(dir, true, letter, f.open); {
		case err == nil:
			done++
		case !errors.Is(err, ErrBusy):
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// child starts a child of the tests.
func child(tb testing.TB, dir, run, letter string) (*exec.Cmd, *bufio.Scanner) {
	tb.Helper()
	cmd := exec.Command(os.Args[0], run, letter)
	cmd.Env = append(os.Environ(), childFolder+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		tb.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// TestKilled kills a program that exports, somewhere after every tenth operation, again and again in one folder.
func TestKilled(t *testing.T) {
	t.Parallel()
	for name, run := range exportings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "made")
			n, o := whole(t, run, "n"), whole(t, run, "o")
			for operations := 1; operations < 150; operations += 10 {
				cmd, lines := child(t, dir, name, string("no"[operations/10%2]))
				for range operations {
					lines.Scan()
				}
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				_ = cmd.Wait() // it was killed
				if err := checkFolder(dir, false, n, o); err != nil {
					t.Fatalf("behind operation %d: %v", operations, err)
				}
			}
			if err := run(dir, true, "n", openStore); err != nil {
				t.Errorf("what killed exports left is in the way: %v", err)
			}
		})
	}
}

// TestTwoAtOnce runs two programs that export other files of the same names into one folder.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	for name, run := range exportings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "made")
			n, o := whole(t, run, "n"), whole(t, run, "o")
			one, lines1 := child(t, dir, name, "n")
			two, lines2 := child(t, dir, name, "o")
			go func() {
				for lines2.Scan() {
				}
			}()
			for lines1.Scan() {
			}
			if err := errors.Join(one.Wait(), two.Wait()); err != nil {
				t.Fatal(err)
			}
			if err := checkFolder(dir, true, n, o); err != nil {
				t.Error(err)
			}
		})
	}
}

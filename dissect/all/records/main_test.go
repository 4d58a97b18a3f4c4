package records_test

import (
	"os"
	"runtime/debug"
	"testing"
)

const root = "../../.."

// TestMain collects garbage less often: the tests make much of it and keep little, and a fifth of their time went
// there.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

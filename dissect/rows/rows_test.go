package rows_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/all"
	"github.com/q3dissect/q3dissect/dissect/open"
	"github.com/q3dissect/q3dissect/dissect/rows"
)

// Queries rely on these tables and columns. The test of cmd/internal/parquet compares all values of all tables with
// the records.
func TestTables(t *testing.T) {
	t.Parallel()
	schema, err := rows.New(all.Protocols(), rows.Options{Events: true, State: true, Link: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		table, at, column string
		form              rows.Form
		typ               rows.Type
	}{
		{"packets", "", "length", rows.Scalar, rows.Int},
		{"packets", "", "time", rows.Scalar, rows.Time},
		{"packets", "", "link", rows.Group, rows.Bool},
		{"packets", "", "ip_fragments", rows.List, rows.Int},
		{"expert", "expert_at", "code", rows.Scalar, rows.String},
		{"events", "event_at", "killer", rows.Group, rows.Bool},
		{"events", "event_at", "killer.name_clean", rows.Scalar, rows.String},
		{"events_scores", "event_at scores_at", "score", rows.Scalar, rows.Int},
		{"quake3", "", "netchan.lost_before", rows.Scalar, rows.Int},
		{"quake3", "", "oob.info", rows.Map, rows.String},
		{"quake3", "", "server_message.ops", rows.Scalar, rows.Int},
		{"quake3_server_message_ops_snapshot", "ops_at", "player_state.stats", rows.Map, rows.Int},
		{"quake3_server_message_ops_snapshot", "ops_at", "player_state.origin.x", rows.Scalar, rows.Float},
		{"quake3_server_message_ops_snapshot_entities", "ops_at entities_at", "weapon_name", rows.Scalar, rows.String},
		{"quake3_server_message_ops_snapshot_entities", "ops_at entities_at", "state.pos.tr_base.z", rows.Scalar, rows.Float},
		{"quake3_server_message_ops_snapshot_entities", "ops_at entities_at", "state.frame_info.time", rows.Map, rows.Float},
		{"quake3_client_message_ops_move_user_commands", "ops_at user_commands_at", "angles.yaw", rows.Scalar, rows.Int},
		{"teeworlds_chunks_sv_chat", "chunks_at", "message", rows.Scalar, rows.String},
		{"teeworlds_chunks_snapshot_items_character", "chunks_at items_at", "hook_state_name", rows.Scalar, rows.String},
		{"gamestudio_messages_svc_update2", "messages_at", "position.x", rows.Scalar, rows.Float},
	} {
		table := schema.Table(want.table)
		if table == nil {
			t.Errorf("there is no table %s", want.table)
			continue
		}
		if got := strings.Join(table.At, " "); got != want.at {
			t.Errorf("%s: numbers %q, want %q", want.table, got, want.at)
		}
		c := find(table.Columns, want.column)
		if c == nil {
			t.Errorf("%s has no column %s", want.table, want.column)
		} else if c.Form != want.form || c.Form != rows.Group && c.Type != want.typ {
			t.Errorf("%s.%s: form %d and type %d, want %d and %d", want.table, want.column, c.Form, c.Type, want.form, want.typ)
		}
	}
}

func find(columns []*rows.Column, path string) *rows.Column {
	key, rest, below := strings.Cut(path, ".")
	for _, c := range columns {
		if c.Name == key && below {
			return find(c.Columns, rest)
		}
		if c.Name == key {
			return c
		}
	}
	return nil
}

// Rows that nobody reads can be skipped, cell by cell and whole; once warm a Shredder allocates nothing.
func TestSkip(t *testing.T) {
	b, err := os.ReadFile("../../samples/quake3/68-loss.pcap")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := rows.New(all.Protocols(), rows.Options{Events: true})
	if err != nil {
		t.Fatal(err)
	}
	in, err := open.New(bytes.NewReader(b), "", open.Options{Protocols: all.Protocols()})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	shredder := schema.NewShredder()
	var text []byte
	packets, cells, skipped := 0, 0, 0
	for rec, err := range in.Records(dissect.Options{Events: true}) {
		if err != nil {
			t.Fatal(err)
		}
		text = shredder.Append(text[:0], rec)
		events := len(rec.Events.Nodes) > 0 // their words are put together with memory of their own
		if allocated := testing.AllocsPerRun(1, func() { text = shredder.Append(text[:0], rec) }); allocated > 0 && !events {
			t.Fatalf("frame %d: %v allocations", rec.Frame, allocated)
		}
		for c := schema.Read(text); c.Row(); skipped++ {
			if c.Table().Name == "packets" {
				packets++
				if got := c.Head().Packet; got != int64(rec.Frame) {
					t.Fatalf("packet %d, want %d", got, rec.Frame)
				}
			}
			for c.Cell() {
				cells++
				c.SkipCell()
				if cells%3 == 0 {
					c.Skip()
					break
				}
			}
		}
	}
	if packets != 260 || cells < 2000 || skipped < packets { // samples/README.md
		t.Errorf("%d packets, %d cells, %d rows", packets, cells, skipped)
	}
}

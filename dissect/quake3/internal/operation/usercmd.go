// Package operation reads operations that depend on nothing in the session but their arguments: user commands,
// voice, blocks of files, and those that only one game has.
package operation

import (
	"slices"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/decode"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// maxUserCommands is MAX_PACKET_USERCMDS, code/qcommon/qcommon.h.
const maxUserCommands = 32

const usercmdSource = "MSG_ReadDeltaUsercmdKey, code/qcommon/msg.c"

// Fields of clc_move and clc_moveNoDelta.
var (
	Move = dissect.Field{
		Key: "move", Name: "clc_move", Kind: dissect.Object, Source: "SV_UserMove, code/server/sv_client.c",
		Doc:      "user commands; snapshots may be deltas of the message acknowledged",
		Children: []*dissect.Field{&MoveCount, &eyeInfoField, &userCommandsField, &dissect.Undecoded}, Frame: opFrame,
	}
	MoveNoDelta = dissect.Field{
		Key: "move_no_delta", Name: "clc_moveNoDelta", Kind: dissect.Object, Source: "SV_UserMove, code/server/sv_client.c",
		Doc:      "user commands; the client asks for full snapshots",
		Children: []*dissect.Field{&MoveCount, &eyeInfoField, &userCommandsField, &dissect.Undecoded}, Frame: opFrame,
	}
	MoveCount = dissect.Field{
		Key: "count", Kind: dissect.Uint, Bits: 8, Source: "SV_UserMove, code/server/sv_client.c",
		Doc: "number of user commands, 1 to 32",
	}
	userCommandsField = dissect.Field{
		Key: "user_commands", Kind: dissect.List, Source: usercmdSource, Children: []*dissect.Field{&userCommandField},
		Doc: "input of the player for each frame of the client; complete values, not the differences sent",
	}
	userCommandField = dissect.Field{
		Kind: dissect.Object, Name: "usercmd_t", Source: usercmdSource,
		Frame: []*dissect.Field{&timeIsDelta, &anyChanged, &decode.Indicators},
		Children: []*dissect.Field{
			&usercmdServerTime, &usercmdAngles, &usercmdForward, &usercmdRight, &usercmdUp, &usercmdButtons, &usercmdWeapon,
			&usercmdButtons8, &usercmdButtonsOld, &usercmdWbuttons, &usercmdHoldable, &usercmdWolfkick, &usercmdMpSetup,
			&usercmdFlags, &usercmdDoubleTap, &usercmdIdentClient, &usercmdIdentUnsigned, &usercmdForceSel, &usercmdInvenSel,
			&usercmdGenericCmd, &usercmdRepeat, &dissect.Undecoded,
		},
	}
	usercmdServerTime = dissect.Field{
		Key: "server_time", Name: "serverTime", Kind: dissect.Int, Bits: 32, Unit: "ms", Source: usercmdSource,
		Doc: "server time that the input is for",
	}
	usercmdAngles = dissect.Field{
		Key: "angles", Kind: dissect.Object, Source: usercmdSource,
		Doc:      "direction of the view before delta_angles are added, 65536 to the circle",
		Children: []*dissect.Field{&usercmdPitch, &usercmdYaw, &usercmdRoll},
	}
	usercmdPitch   = dissect.Field{Key: "pitch", Name: "angles[0]", Kind: dissect.Uint, Bits: 16, Unit: dissect.UnitTurn16, Source: usercmdSource, Doc: "up and down; down positive"}
	usercmdYaw     = dissect.Field{Key: "yaw", Name: "angles[1]", Kind: dissect.Uint, Bits: 16, Unit: dissect.UnitTurn16, Source: usercmdSource, Doc: "left and right; left positive"}
	usercmdRoll    = dissect.Field{Key: "roll", Name: "angles[2]", Kind: dissect.Uint, Bits: 16, Unit: dissect.UnitTurn16, Source: usercmdSource, Doc: "tilt"}
	usercmdForward = dissect.Field{Key: "forwardmove", Kind: dissect.Int, Bits: 8, Source: usercmdSource, Doc: "movement forward (positive) or back, -127 to 127; 0: none"}
	usercmdRight   = dissect.Field{Key: "rightmove", Kind: dissect.Int, Bits: 8, Source: usercmdSource, Doc: "movement to the right (positive) or left, -127 to 127; 0: none"}
	usercmdUp      = dissect.Field{Key: "upmove", Kind: dissect.Int, Bits: 8, Source: usercmdSource, Doc: "jump (positive) or crouch, -127 to 127; 0: none"}
	usercmdButtons = dissect.Field{Key: "buttons", Kind: dissect.Uint, Bits: 16, Enum: &tables.ButtonNames, Source: usercmdSource, Doc: "buttons that are held, as bits"}
	usercmdWeapon  = dissect.Field{Key: "weapon", Kind: dissect.Uint, Bits: 8, Enum: &tables.WeaponNames, Source: usercmdSource, Doc: "weapon that the player selects"}

	usercmdRepeat = dissect.Field{
		Key: "repeat", Kind: dissect.Bool,
		Doc: "true: an earlier message of the stream already carried the user command; absent otherwise",
	}
)

// A UserCommand is one usercmd_t.
type UserCommand struct {
	Time    int32
	Values  [maxUsercmdFields]int32
	Unknown uint16 // mask of the values that cannot be known without the key
}

// ExpertKeyUnknown is the code of the entry about values that cannot be known without their key.
const ExpertKeyUnknown = "key_unknown"

// A Key is what the values of a message's user commands, apart from the time, are XORed with.
type Key struct {
	Key   uint32
	Known bool
	Why   string // what is missing
}

// Moves reads the user commands of one client.
type Moves struct {
	recent recentCommands
	moved  []UserCommand
	eyes   EyeInfo // where the form has them
}

// Read reads clc_move or clc_moveNoDelta into field. It returns the user commands, valid until the next call;
// none if one of them cannot be read. A missing key is reported in the record.
func (m *Moves) Read(d *decode.Decoder, at int, field *dissect.Field, key Key, form tables.UserCommand,
	rec *dissect.Record,
) []UserCommand {
	d.EnterOp(field, at)
	defer d.Leave()
	countAt := d.Pos()
	count := int(d.Uint(&MoveCount))
	if !d.Failed() && (count < 1 || count > maxUserCommands) {
		d.Malformed(&MoveCount, countAt, "%d user commands, 1 to %d are possible", count, maxUserCommands)
	}
	if form == tables.UserCommandButtons {
		eyes := m.eyes
		if ReadEyeInfo(d, &eyes); !d.Failed() {
			m.eyes = eyes
		}
	}
	d.Enter(&userCommandsField)
	defer d.Leave()
	defer d.End(d.Details())
	var cmd UserCommand
	m.moved = m.moved[:0]
	for i := 0; i < count && !d.Failed(); i++ {
		m.read(d, &cmd, key, form)
		m.moved = append(m.moved, cmd)
	}
	if d.Failed() {
		return nil
	}
	if !key.Known {
		rec.Expert(dissect.Note, ExpertKeyUnknown, nil, at, "values of the user commands cannot be known: %s", key.Why)
	}
	return m.moved
}

// ReadAlone reads one user command, as a delta of an empty one, into the objects that it has in a message.
func (m *Moves) ReadAlone(d *decode.Decoder, key Key, form tables.UserCommand) {
	d.Enter(&Move)
	defer d.Leave()
	d.Enter(&userCommandsField)
	defer d.Leave()
	m.read(d, new(UserCommand), key, form)
}

// Note reports whether a user command is new, and remembers it.
func (m *Moves) Note(cmd *UserCommand) bool {
	if m.recent.has(cmd) {
		return false
	}
	m.recent.add(cmd)
	return true
}

// Clone returns an independent copy.
func (m *Moves) Clone() Moves {
	c := *m
	c.moved, c.recent.ring = nil, slices.Clone(m.recent.ring)
	return c
}

// Trim gives back the memory that reading user commands uses.
func (m *Moves) Trim() { m.moved = nil }

// Reset forgets the earlier user commands.
func (m *Moves) Reset() {
	m.recent.reset()
	m.eyes = EyeInfo{}
}

// read reads one user command as a delta of cmd, the previous one, and replaces it.
func (m *Moves) read(d *decode.Decoder, cmd *UserCommand, key Key, form tables.UserCommand) {
	d.Enter(&userCommandField)
	defer d.Leave()
	timeAt := d.Pos()
	if d.Bit() {
		cmd.Time += int32(d.Bits(8))
	} else {
		cmd.Time = int32(d.Bits(32))
	}
	if !d.Check(&usercmdServerTime) {
		return
	}
	tree := d.Tree()
	if tree.Framed() {
		tree.AddBool(&timeIsDelta, d.BitAt(timeAt), timeAt, 1)
	}
	tree.AddInt(&usercmdServerTime, int64(cmd.Time), timeAt, d.Pos()-timeAt)
	fields := UserCommandForms[form]
	if tree == nil {
		cmd.readValues(d, form, key, nil)
		return
	}
	var span usercmdSpan
	cmd.readValues(d, form, key, &span)
	failed := d.Failed() // only the values before the failure are known
	tree.Open(&usercmdAngles, timeAt)
	for i, f := range fields {
		if i == numAngles {
			tree.Close(0)
		}
		if cmd.Unknown&(1<<i) == 0 && (!failed || span.bits[i] > 0) {
			tree.AddInt(f, int64(cmd.Values[i]), int(span.bit[i]), int(span.bits[i]))
		}
	}
	if !failed && m.recent.has(cmd) {
		tree.AddBool(&usercmdRepeat, true, timeAt, 0)
	}
	if tree.Framed() {
		d.AddIndicators()
	}
}

// A usercmdSpan holds where values were read, in bits.
type usercmdSpan struct {
	bit  [maxUsercmdFields]uint32
	bits [maxUsercmdFields]uint8
}

// readValues reads the values that changed, and their positions into span unless it is nil.
func (u *UserCommand) readValues(d *decode.Decoder, form tables.UserCommand, key Key, span *usercmdSpan) {
	r := d.Reader()
	fieldKey, changed := key.Key^uint32(u.Time), form == tables.UserCommandUnkeyed
	if changed {
		fieldKey = 0
	}
	if !changed {
		changed = r.Bit()
		if d.Framed() && !r.Failed() {
			d.Tree().AddBool(&anyChanged, changed, r.Pos()-1, 1)
		}
	}
	if changed {
		for i, f := range UserCommandForms[form] {
			if !d.NamedBit(f.EngineName()) {
				continue
			}
			at := r.Pos()
			v := r.Bits(f.Bits)
			if r.Failed() {
				d.Check(f)
				return
			}
			u.set(i, f, (v^fieldKey)&(1<<f.Bits-1), key.Known)
			if !key.Known && d.Framed() {
				d.Indicate(&decode.Enciphered, uint64(v), at, r.Pos()-at)
			}
			if span != nil {
				span.bit[i], span.bits[i] = uint32(at), uint8(r.Pos()-at)
			}
		}
	}
	d.Check(nil)
}

// set stores a value that was read. Moves are signed bytes, and -128 is -127, MSG_ReadDeltaUsercmdKey.
func (u *UserCommand) set(i int, f *dissect.Field, v uint32, known bool) {
	if !known {
		u.Values[i], u.Unknown = 0, u.Unknown|1<<i
		return
	}
	u.Values[i], u.Unknown = int32(v), u.Unknown&^(1<<i)
	if f.Kind == dissect.Int {
		u.Values[i] = int32(int8(v))
		if i < numAngles+numMoves {
			u.Values[i] = max(u.Values[i], -127)
		}
	}
}

// recentCommands remembers the last user commands, to recognise repeated ones. Clients repeat those of their
// last few packets (cl_packetdup), at most maxUserCommands at a time.
type recentCommands struct {
	ring   []UserCommand // as many as a power of two: it grows up to mostRecent
	next   int
	count  int
	latest int32 // highest time so far
}

const (
	firstRecent = 8
	mostRecent  = 2 * maxUserCommands
)

func (r *recentCommands) add(cmd *UserCommand) {
	if r.count == len(r.ring) && r.count < mostRecent {
		r.grow()
	}
	if r.count == 0 || cmd.Time > r.latest {
		r.latest = cmd.Time
	}
	r.ring[r.next] = *cmd
	r.next = (r.next + 1) & (len(r.ring) - 1)
	r.count = min(r.count+1, len(r.ring))
}

// grow makes room for twice as many commands.
func (r *recentCommands) grow() {
	ring := make([]UserCommand, max(firstRecent, 2*len(r.ring)))
	n := copy(ring, r.ring[r.next:])
	copy(ring[n:], r.ring[:r.next])
	r.ring, r.next = ring, r.count
}

// same reports whether two user commands are the same as far as is known. The time alone does not suffice: a
// client whose clock is set back uses times again.
func (u *UserCommand) same(o *UserCommand) bool {
	if u.Time != o.Time {
		return false
	}
	unknown := u.Unknown | o.Unknown
	if unknown == 0 {
		return u.Values == o.Values
	}
	for i := range u.Values {
		if unknown>>i&1 == 0 && u.Values[i] != o.Values[i] {
			return false
		}
	}
	return true
}

// has reports whether the user command was stored.
func (r *recentCommands) has(cmd *UserCommand) bool {
	if r.count == 0 || cmd.Time > r.latest { // most that are new
		return false
	}
	for i := range r.count { // repeated commands are mostly the last ones
		if r.ring[(r.next-1-i)&(len(r.ring)-1)].same(cmd) {
			return true
		}
	}
	return false
}

func (r *recentCommands) reset() { r.next, r.count = 0, 0 }

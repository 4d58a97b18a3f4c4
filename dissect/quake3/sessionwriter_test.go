package quake3

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/operation"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/world"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// A sessionWriter writes valid messages of a generation with random content: every operation, field and array.
type sessionWriter struct {
	*rand.Rand
	gen     *tables.Generation
	w       huffcodec.Writer
	command int32    // number of the newest command of the direction
	block   int      // of the download
	wrote   []string // keys of the operations in the message
	last    []byte   // client message
}

func newSessionWriter(gen *tables.Generation, seed uint64) *sessionWriter {
	return &sessionWriter{Rand: rand.New(rand.NewPCG(seed, uint64(gen.Version))), gen: gen, command: 42}
}

// one reports whether an event with a probability of 1 in n happens.
func (s *sessionWriter) one(n int) bool { return s.IntN(n) == 0 }

// bit writes a bit, and returns it.
func (s *sessionWriter) bit(v bool) bool {
	s.w.Bit(v)
	return v
}

// begin starts a message. The result reports whether there is room for more.
func (s *sessionWriter) begin() (room func() bool) {
	s.w.Reset(s.gen.Coding)
	s.wrote = s.wrote[:0]
	limit := 8 * s.gen.MaxMessage / 2
	return func() bool { return s.w.Pos() < limit }
}

// op writes the number of an operation.
func (s *sessionWriter) op(op tables.Op, key string) {
	if s.gen.Old {
		s.w.Align()
	}
	s.w.Bits(s.gen.Code(op), 8)
	s.wrote = append(s.wrote, key)
}

// bytes writes random bytes after nothing.
func (s *sessionWriter) bytes(n int) {
	for range n {
		s.w.Byte(byte(s.Uint32()))
	}
}

// serverMessage writes a server message of some operations; those that begin a game come first.
func (s *sessionWriter) serverMessage(begins bool) []byte {
	room := s.begin()
	if !s.gen.NoAcknowledge {
		s.w.Bits(s.Uint32()>>12, 32)
	}
	if begins {
		s.gamestate()
	}
	for range s.IntN(6) {
		if room() {
			s.serverOp(tables.Op(s.IntN(int(tables.OpNone))))
		}
	}
	if room() && !begins {
		s.snapshot()
		if slices.Contains(s.gen.ServerOps[:], tables.OpPlayerStates) {
			s.players()
		}
	}
	if s.gen.Old {
		s.w.Align()
		return slices.Clone(s.w.Data()[:s.w.Pos()>>3])
	}
	s.op(tables.OpEOF, "eof")
	return s.tail()
}

// tail ends a message, in Enemy Territory sometimes with bytes of its module.
func (s *sessionWriter) tail() []byte {
	end := s.w.Pos()
	message := slices.Clone(s.w.Data())
	if s.gen.BinaryTail && s.one(3) {
		message = append(message[:min(len(message), end/8+1)], "module"...)
	}
	return message
}

func (s *sessionWriter) serverOp(op tables.Op) {
	if !slices.Contains(s.gen.ServerOps[:], op) {
		return
	}
	switch op {
	case tables.OpNop:
		s.op(op, "nop")
	case tables.OpServerCommand:
		s.op(op, "server_command")
		s.reliable(fmt.Sprintf("print \"%d\n\"", s.Uint32()), `cs 0 "\mapname\q3dm17\g_gametype\4"`, fmt.Sprintf(`cs %d "n\Player\t\0"`, s.IntN(700)),
			`bcs0 21 "first "`, `bcs2 21 "second"`, "scores 1 2 3", "%s%n", "", strings.Repeat("x", 900))
	case tables.OpDownload:
		s.download()
	case tables.OpVoipSpeex, tables.OpVoipOpus:
		s.op(op, "voip")
		size := s.IntN(200)
		s.w.Bits(s.Uint32()&63, 16)
		s.w.Bits(s.Uint32()&255, 8)
		s.w.Bits(s.Uint32(), 32)
		s.w.Bits(s.Uint32()&15, 8)
		s.w.Bits(uint32(size), 16)
		s.w.Bits(s.Uint32()&3, 2)
		s.bytes(size)
	case tables.OpSetGame:
		s.op(op, operation.SetGame.Key)
		s.w.String("base")
	case tables.OpMapChange:
		s.op(op, operation.MapChange.Key)
	case tables.OpCenterPrint:
		s.op(op, operation.CenterPrint.Key)
		s.text("the Allies have won")
	case tables.OpLocPrint:
		s.op(op, operation.LocPrint.Key)
		s.w.Bits(s.Uint32()>>16, 16)
		s.w.Bits(s.Uint32()>>16, 16)
		s.text("press use")
	case tables.OpCGame:
		s.op(op, operation.CGame.Key)
		s.cgame()
	}
}

// text writes a text as the game does, and its end.
func (s *sessionWriter) text(text string) {
	for _, c := range []byte(text + "\x00") {
		if s.gen.Scramble != nil {
			c = s.gen.Scramble[c]
		}
		s.w.Byte(c)
	}
}

// cgame writes messages for the module of Medal of Honor: a letter of their bodies is a value, see package operation.
func (s *sessionWriter) cgame() {
	widths := map[rune]int{
		'v': 6, 'd': 8, 's': 1, 'S': 2, 'k': 8, 'm': 8, 'i': 8, 'h': 2, 'j': 2, 'x': 16, 'y': 16, 'w': 16, 'z': 16, 'f': 1,
		'r': 8, 'g': 8, 'b': 8, 'o': 8, 'l': 1, 'c': 6,
	}
	place := func(n uint32) {
		for range 3 * n {
			s.w.Bits(s.Uint32()>>13, 19)
		}
	}
	kinds := s.Perm(len(s.gen.CGame))
	kinds = slices.DeleteFunc(kinds, func(kind int) bool { return s.gen.CGame[kind] == tables.CGameUnknown })
	for i, kind := range kinds {
		s.w.Bits(uint32(kind), 6)
		for _, letter := range s.gen.CGame[kind] {
			switch letter {
			case 'P':
				place(1)
			case 'n':
				n := s.Uint32() & 63
				s.w.Bits(n, 6)
				place(n)
			case 'a':
				if s.bit(s.one(2)) {
					s.w.Bits(s.Uint32()>>22, 10)
				}
			case 't':
				s.w.String("textures/hud/allies")
			default:
				s.w.Bits(s.Uint32()>>(32-widths[letter]), widths[letter])
			}
		}
		s.w.Bit(i < len(kinds)-1)
	}
}

// sounds writes the sounds at the end of a snapshot.
func (s *sessionWriter) sounds() {
	if !s.bit(s.one(2)) {
		return
	}
	count := s.IntN(65)
	s.w.Bits(uint32(count), 7)
	for range count {
		if s.bit(s.one(4)) {
			s.w.Bits(s.Uint32()>>22, 10)
			s.w.Bits(s.Uint32()>>25, 7)
			continue
		}
		s.w.Bit(s.one(2))
		if s.bit(s.one(2)) {
			for range 3 {
				s.w.Bits(s.Uint32(), 32)
			}
		}
		s.w.Bits(s.Uint32()>>21, 11)
		s.w.Bits(s.Uint32()>>25, 7)
		s.w.Bits(s.Uint32()>>23, 9)
		for range 3 {
			if s.bit(s.one(2)) {
				s.w.Bits(s.Uint32(), 32)
			}
		}
		s.w.Bits(s.Uint32(), 32)
	}
}

// reliable writes number and text of a command: the next one, or one that comes again.
func (s *sessionWriter) reliable(texts ...string) {
	if s.one(4) {
		s.w.Bits(uint32(s.command), 32)
	} else {
		s.command++
		s.w.Bits(uint32(s.command), 32)
	}
	s.text(texts[s.IntN(len(texts))])
}

func (s *sessionWriter) download() {
	s.op(tables.OpDownload, "download")
	switch {
	case s.gen.WebDownload && s.one(4):
		s.w.Bits(0xffff, 16)
		s.w.String("http://192.0.2.9/pak1.pk3")
		s.w.Bits(s.Uint32()>>8, 32)
		s.w.Bits(s.Uint32()&1, 32)
		return
	case s.one(4):
		s.block = 0
		s.w.Bits(0, 16)
		s.w.Bits(math.MaxUint32, 32)
		s.w.String("File not found")
		return
	case s.block == 0:
		s.w.Bits(0, 16)
		s.w.Bits(100_000, 32)
	default:
		s.w.Bits(uint32(s.block), 16)
	}
	s.block++
	size := s.IntN(300)
	s.w.Bits(uint32(size), 16)
	s.bytes(size)
}

func (s *sessionWriter) gamestate() {
	s.op(tables.OpGamestate, "gamestate")
	s.block = 0
	s.w.Bits(uint32(s.command), 32)
	for i := range s.gen.MaxConfigstrings {
		if i > 2 && !s.one(4) && i < s.gen.MaxConfigstrings-1 {
			continue
		}
		text := fmt.Sprint("text ", i)
		switch i {
		case tables.ServerinfoIndex:
			text = `\mapname\q3dm17\gamename\baseq3\g_gametype\0`
			for _, sign := range s.gen.Signs[:min(1, len(s.gen.Signs))] { // of a row whose number another game has
				text += `\` + sign.Key + `\` + sign.Text
			}
		case tables.SysteminfoIndex:
			text = `\sv_serverid\7\sv_pure\0`
		}
		s.w.Bits(tables.SvcConfigstring, 8)
		s.w.Bits(uint32(i), 16)
		s.text(text)
	}
	for i := range world.EntityNumNone {
		if s.one(300) || i == 0 || i == world.EntityNumNone-1 {
			s.w.Bits(tables.SvcBaseline, 8)
			s.entity(i, 6)
		}
	}
	if slices.Contains(s.gen.ServerOps[:], tables.OpCurrentState) {
		s.w.Bits(s.gen.Code(tables.OpCurrentState), 8)
		s.entity(5, 2)
	}
	if s.gen.Old {
		s.w.Bits(tables.SvcBad, 8)
		return
	}
	s.w.Bits(s.gen.Code(tables.OpEOF), 8)
	s.w.Bits(3, 32)
	s.w.Bits(0x5EED1234, 32)
	if s.gen.RandomMap {
		s.randomMap()
	}
	if s.gen.FrameTime {
		s.w.Bits(math.Float32bits(.05), 32)
	}
}

func (s *sessionWriter) randomMap() {
	if s.one(2) {
		s.w.Bits(0, 16)
		return
	}
	for range 2 {
		s.w.Bits(20, 16)
		s.w.Bit(false)
		s.bytes(20)
	}
	s.w.Bits(s.Uint32(), 32)
	s.w.Bits(512, 16)
	for range 512 {
		s.w.Bits(s.Uint32()&255, 8)
		s.w.Bits(s.Uint32()&255, 8)
		s.w.Bits(s.Uint32(), 32)
		s.w.Bits(s.Uint32(), 32)
	}
}

// state makes a state in which one of n fields is not zero.
func (s *sessionWriter) state(table *tables.Layout, n int) (state tables.State) {
	state.Set(table.Zero)
	for i := range table.Wire {
		if !s.one(n) {
			continue
		}
		v := s.Uint32()
		switch bits := table.Wire[i].Bits; {
		case table.Values != nil: // one that its coding can hold
			r := huffcodec.NewReader(binary.LittleEndian.AppendUint64(nil, s.Uint64()), huffcodec.Raw)
			v, _ = world.ReadValue(&r, table.Values[i], 0, true, 0)
		case bits == 0 && s.one(2):
			v = math.Float32bits(float32(int32(v) >> 19))
		case bits < 0:
			v = uint32(int32(v) << (32 + bits) >> (32 + bits))
		case bits > 0:
			v &= uint32(1<<bits - 1)
		}
		if table.Wide {
			state.Put(table.Wire[i].Output, v)
		} else {
			state.Values[i] = v
		}
	}
	return state
}

// entity writes the number of an entity, and the fields that are not zero.
func (s *sessionWriter) entity(number, n int) {
	state := s.state(s.gen.Entity, n)
	if s.gen.Shared != nil {
		shared := s.state(s.gen.Shared, 3)
		for i := range s.gen.Shared.Wire {
			place := s.gen.Shared.Wire[i].Output
			v, _ := shared.At(place)
			state.Put(place, v)
		}
	}
	if s.gen.Shared == nil || !s.one(3) {
		world.WriteEntity(&s.w, s.gen, int32(number), s.gen.Entity.Zero, &state)
		return
	}
	alone := *s.gen
	alone.Shared = nil
	world.WriteEntity(&s.w, &alone, int32(number), s.gen.Entity.Zero, &state)
	s.w.Bits(0x77, 8) // MSG_ETTV_WriteDeltaSharedEntity, src/qcommon/msg.c of ET: Legacy
	s.w.Bit(true)     // nothing follows the entity any more
}

func (s *sessionWriter) snapshot() {
	s.op(tables.OpSnapshot, "snapshot")
	if s.gen.CommandSequence {
		s.w.Bits(s.Uint32()>>16, 32)
	}
	s.w.Bits(s.Uint32()>>4, 32)
	if s.gen.Sounds {
		s.w.Bits(s.Uint32()>>24, 8)
	}
	delta := uint32(0)
	if s.gen.Vehicle == nil && s.one(2) { // a vehicle that stays from the base would have to follow
		delta = 1 + s.Uint32()&3
	}
	s.w.Bits(delta, 8)
	s.w.Bits(s.Uint32()&7, 8)
	mask := s.IntN(33)
	s.w.Bits(uint32(mask), 8)
	s.bytes(mask)
	s.player()
	switch s.IntN(4) {
	case 0: // all there are, most of them without a change
		for i := range world.EntityNumNone {
			if s.w.Pos() > 8*s.gen.MaxMessage/2 {
				break
			}
			s.entity(i, 200)
		}
	case 1:
		for i := 3; i < world.EntityNumNone && s.w.Pos() < 8*s.gen.MaxMessage/2; i += 1 + s.IntN(40) {
			if s.gen.Shared == nil && s.one(5) {
				s.w.Bits((uint32(i)+s.gen.EntityBias)&world.EntityNumNone, world.EntityNumBits)
				s.w.Bit(true) // removed
				continue
			}
			s.entity(i, 1)
		}
	default:
		for i := s.IntN(60); i < world.EntityNumNone; i += 1 + s.IntN(60) {
			s.entity(i, 8)
		}
	}
	world.WriteEnd(&s.w, s.gen)
	if s.gen.Sounds {
		s.sounds()
	}
}

// player writes a player state with all of its arrays, of a player on foot or in a vehicle.
func (s *sessionWriter) player() {
	gen := *s.gen
	if gen.Pilot != nil && s.one(3) {
		s.w.Bit(true)
		gen.Player, gen.Pilot = gen.Pilot, nil
	}
	p := s.playerOf(gen.Player)
	if gen.Vehicle != nil {
		if number, _ := p.At(s.gen.Player.Place("m_iVehicleNum")); number != 0 {
			vehicle := s.playerOf(s.gen.Vehicle)
			p.Vehicle = &vehicle
		}
	}
	world.WritePlayer(&s.w, &gen, &p)
}

func (s *sessionWriter) playerOf(table *tables.Layout) (p world.Player) {
	p.State = s.state(table, []int{1, 1, 2, 4, 8}[s.IntN(5)])
	fill := func(values []int32) {
		if s.one(3) {
			return
		}
		for i := range values {
			values[i] = int32(int16(s.Uint32()))
		}
	}
	for i := range p.Arrays {
		fill(p.Arrays[i][:])
	}
	if s.gen.Arrays == tables.ArraysWideWeapons {
		p.Arrays[0][4] &= 1<<19 - 1 // the weapons, without a sign
	}
	if s.gen.Arrays == tables.ArraysMisc {
		p.Arrays[2] = [16]int32{} // there is no ammo
	}
	if s.gen.Arrays == tables.ArraysGrouped || s.gen.Arrays == tables.ArraysActive {
		p.Extra = new(world.ExtraArrays)
		for i := range p.Extra.Values {
			fill(p.Extra.Values[i][:])
		}
	}
	return p
}

// players writes svc_ettv_playerstates.
func (s *sessionWriter) players() {
	s.op(tables.OpPlayerStates, world.PlayersField.Key)
	for client := range 3 {
		s.w.Bits(uint32(client), 8)
		s.player()
	}
	s.w.Bits(255, 8)
}

package recover

import (
	"math"

	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
)

// A model is what messages of the game look like: how often each thing happens, against how many bits
// it takes. It is made once and never changes.
type model struct {
	gen                *tables.Generation
	code               *coding
	bits               []adaptive // all bits that are weighed, by number
	total              [2*mostSeen + 1]int32
	same               [9][9]int32
	player, entity     []modelField
	pilot, vehicle     []modelField // of Jedi Academy
	riding             [2]int       // the flag of players and of pilots that a vehicle's state follows; -1: there is none
	views              [4]int       // the fields of a player's direction, by number of the angle of a view
	user               []uint8      // widths of a user command's fields, in bits
	buttons, weapon    int          // numbers of these fields
	playerCount        [256]int32
	entityCount        [256]int32
	serverOp, clientOp [16]int32
	snapFlags          [256]int32
	areaBytes          [256]int32
	entityEnd          int32
	gapBits            [11]int32
	residual           [256]int32
	userCount          [256]int32
	eyes               bool // the player's eyes precede the user commands
	effects            int  // the number of the first bit of what only some engines have
	stepTime           [256]int32
	serverChar         [numClasses][256]int32
	clientChar         [numClasses][256]int32
}

// Numbers of bits in a model, before those of the fields.
const (
	bitArrays    = 0                 // there are arrays; then one bit for each of the four
	bitAmmo      = 5                 // Wolfenstein: there is ammunition; then four bits for its groups, and four for clips
	bitRemoved   = 14                // an entity is removed
	bitHasDelta  = 15                // an entity has changed fields
	bitCertain   = 16                // a bit that is hardly ever zero
	bitShort     = 17                // a user command's time is a difference
	bitPilot     = 18                // the player sits inside a vehicle
	bitUser      = 19                // fields of the first user command
	bitUserLater = bitUser + maxUser // fields of later ones
	bitFields    = bitUserLater + maxUser
)

// maxUser is the most fields that a user command of any game has.
const maxUser = 13

// A modelField is a field of a delta with the numbers of its bits.
type modelField struct {
	width                  uint8    // in bits; 0: float
	zero                   bool     // a bit precedes the value that is clear for zero
	forms                  [2]uint8 // the widths of a value's two forms, after a bit for which; 0: one form
	changed, nonzero, full int
	top                    [2]*[256]int32 // the highest symbol of values; of floats sent whole, and as small numbers
	gain                   [2]int32       // its average evidence
}

// impossible marks operations that do not exist.
const impossible = -1 << 30

// Classes of the character before, which the next one depends on.
const (
	classStart = iota
	classLetter
	classDigit
	classOther
	numClasses
)

func charClass(c byte) int {
	switch {
	case c == 0:
		return classStart
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		return classLetter
	case c >= '0' && c <= '9':
		return classDigit
	}
	return classOther
}

// symbols weighs the values of a byte, by counts and against the length of their codes.
func symbols(code *coding, list symbolCounts, smooth float64) [256]int32 {
	counts, sum := list.dense()
	return weighSymbols(code, &counts, sum, smooth)
}

func weighSymbols(code *coding, counts *[manyOthers + 1]uint32, sum, smooth float64) (w [256]int32) {
	for v := range w {
		p := (float64(counts[v]) + smooth) / (sum + 256*smooth)
		w[v] = bitsOf(p) + code.length[v]*unit
	}
	return w
}

// tops weighs the highest symbols of a field. One in eight is taken to be unlike the counts: the map or the game is
// another.
func tops(code *coding, f fieldCount) (w [2]*[256]int32) {
	for k, list := range f.Top {
		counts, sum := list.dense()
		if sum < 20 {
			continue
		}
		w[k] = new([256]int32)
		rest := float64(counts[manyOthers])/sum/256*7/8 + 1./8/256
		for v := range w[k] {
			w[k][v] = bitsOf(rest+float64(counts[v])/sum*7/8) + code.length[v]*unit
		}
	}
	return w
}

// weighGain computes the average evidence of a field's values.
func (f *modelField) weighGain(code *coding) {
	for kind, top := range f.top {
		if top == nil {
			continue
		}
		var sum float64
		for v, w := range top {
			sum += math.Exp2(float64(w)/unit-float64(code.length[v])) * float64(w)
		}
		f.gain[kind] = int32(math.Round(sum))
	}
}

func operations(code *coding, shares map[int]float64) (w [16]int32) {
	for op := range w {
		if w[op] = impossible; shares[op] > 0 {
			w[op] = bitsOf(shares[op]) + code.length[op]*unit
		}
	}
	return w
}

// serverShares are how often each operation of a server comes. Estimated.
var serverShares = map[tables.Op]float64{
	tables.OpNop: .001, tables.OpGamestate: .002, tables.OpServerCommand: .05, tables.OpDownload: .005,
	tables.OpSnapshot: .45, tables.OpEOF: .48, tables.OpVoipSpeex: .002, tables.OpVoipOpus: .002, tables.OpSetGame: .0005,
	tables.OpMapChange: .0005, tables.OpCenterPrint: .002, tables.OpLocPrint: .002, tables.OpCGame: .05,
}

// newModel makes the model of a generation from the counts of its game.
func newModel(gen *tables.Generation) *model {
	m := &model{gen: gen, code: newCoding(), bits: make([]adaptive, bitFields), total: totals(), same: sameWeights()}
	c, pilot, vehicle := gameCounts(gen)
	m.setFields(&c, pilot, vehicle)
	m.playerCount = lengths(m.code, c.PlayerLengths)
	m.entityCount = lengths(m.code, c.EntityLengths)
	ops := map[int]float64{}
	for number := range len(m.serverOp) {
		ops[number] = serverShares[gen.Op(uint32(number))]
	}
	m.serverOp = operations(m.code, ops)
	m.clientOp = operations(m.code, map[int]float64{2: .4, 3: .03, 4: .1, 5: .46})
	m.snapFlags = symbols(m.code, symbolCounts{
		{0, 1000},
		{4, 700},
		{1, 30},
		{5, 30},
		{2, 10},
		{6, 10},
		{3, 3},
		{7, 3},
	}, .02)
	m.areaBytes = symbols(m.code, symbolCounts{{0, 100}, {1, 1000}, {2, 100}, {3, 50}, {4, 30}, {8, 10}, {32, 10}}, .5)
	m.setBits(&c)
	var gaps float64
	for _, n := range c.Gaps {
		gaps += float64(n) + 1
	}
	for i := range m.gapBits {
		m.gapBits[i] = bitsOf((float64(c.Gaps[i])+1)/gaps/float64(int(1)<<i)) + bitsOf(1-endShare)
	}
	m.entityEnd = bitsOf(endShare) + (2+m.code.length[lastEntity>>2])*unit
	m.userCount = symbols(m.code, symbolCounts{
		{1, 300},
		{2, 500},
		{3, 150},
		{4, 80},
		{5, 30},
		{6, 10},
		{7, 5},
		{8, 5},
	}, .5)
	m.stepTime = stepTimes(m.code)
	m.serverChar = characters(m.code, readCorpus().Server, gen.Scramble)
	m.clientChar = characters(m.code, readCorpus().Client, gen.Scramble)
	m.setEffects()
	return m
}

// stepTimes weighs how many milliseconds are between two user commands.
func stepTimes(code *coding) [256]int32 {
	var counts [manyOthers + 1]uint32
	sum := 0.
	for v := range 256 {
		counts[v] = 1
		if v > 0 && v <= 60 {
			counts[v] = 40
		}
		sum += float64(counts[v])
	}
	return weighSymbols(code, &counts, sum, .5)
}

// lengths weighs how many fields a delta has. Where nothing is known of a game, none is likelier than others.
func lengths(code *coding, counts symbolCounts) [256]int32 {
	if counts == nil {
		return symbols(code, nil, 1)
	}
	return symbols(code, counts, 10)
}

// setFields takes the fields of a generation's states.
func (m *model) setFields(c *counts, pilot, vehicle []fieldCount) {
	for i, f := range c.Player {
		m.player = append(m.player, m.field(f, codingOf(m.gen.Player, i, false)))
	}
	for i, f := range c.Entity {
		m.entity = append(m.entity, m.field(f, codingOf(m.gen.Entity, i, true)))
	}
	for i, f := range pilot {
		m.pilot = append(m.pilot, m.field(f, codingOf(m.gen.Pilot, i, false)))
	}
	for i, f := range vehicle {
		m.vehicle = append(m.vehicle, m.field(f, codingOf(m.gen.Vehicle, i, false)))
	}
	for _, table := range [...][]modelField{m.player, m.entity, m.pilot, m.vehicle} {
		for i := range table {
			table[i].weighGain(m.code)
		}
	}
	m.riding = [2]int{-1, -1}
	if m.gen.Vehicle != nil {
		m.riding = [2]int{place(m.gen.Player, "m_iVehicleNum"), place(m.gen.Pilot, "m_iVehicleNum")}
	}
	for k, name := range [...]string{
		pitchAngle: "viewangles[0]", yawAngle: "viewangles[1]",
		pitchOffset: "delta_angles[0]", yawOffset: "delta_angles[1]",
	} {
		m.views[k] = place(m.gen.Player, name)
	}
	m.setUserCommand(m.gen)
}

// setBits weighs the bits that are not of fields.
func (m *model) setBits(c *counts) {
	for i := range bitRemoved {
		m.bits[bitArrays+i] = newAdaptive(rare)
	}
	for i, s := range c.Arrays {
		m.bits[bitArrays+i] = newAdaptive(s)
	}
	m.bits[bitRemoved] = newAdaptive(c.Removed)
	m.bits[bitHasDelta] = newAdaptive(c.HasDelta)
	m.bits[bitCertain] = newAdaptive(share{9999, 9999})
	m.bits[bitShort] = newAdaptive(share{970, 1000})
	m.bits[bitPilot] = newAdaptive(share{1, 200})
	common := len(userShares[0])
	for i := range maxUser {
		m.bits[bitUser+i], m.bits[bitUserLater+i] = newAdaptive(share{15, 100}), newAdaptive(share{2, 100})
		if i < common-2 {
			m.setUserBit(i, i)
		}
	}
	for k, i := range [2]int{m.buttons, m.weapon} {
		if k += common - 2; i < 0 {
			continue
		}
		m.setUserBit(i, k)
	}
}

// setUserBit weighs the bits of a field of user commands by one of userShares.
func (m *model) setUserBit(field, usual int) {
	m.bits[bitUser+field] = newAdaptive(share{userShares[0][usual], 100})
	m.bits[bitUserLater+field] = newAdaptive(share{userShares[1][usual], 100})
}

// field sets the bits of a field.
func (m *model) field(f fieldCount, coding fieldCoding) modelField {
	n := len(m.bits)
	m.bits = append(m.bits, newAdaptive(f.Changed), newAdaptive(f.Nonzero), newAdaptive(f.Full))
	return modelField{
		width: coding.width, zero: coding.zero, forms: coding.forms,
		changed: n, nonzero: n + 1, full: n + 2, top: tops(m.code, f),
	}
}

// endShare is how many entity numbers are the end of the list.
const endShare = .25

// characters weighs the characters of a command after the class of the one before.
func characters(code *coding, corpus []string, scramble *[256]byte) (w [numClasses][256]int32) {
	var counts [numClasses][manyOthers + 1]uint32
	for i := range counts {
		for c := ' '; c < 127; c++ {
			counts[i][c] = 1
		}
		counts[i][0]++
		counts[i]['%'] = 0
	}
	for _, line := range corpus {
		prev := byte(0)
		for i := range len(line) + 1 {
			c := byte(0)
			if i < len(line) {
				c = line[i]
			}
			counts[charClass(prev)][c] += 2
			prev = c
		}
	}
	for i := range w {
		sum := 0.
		for _, n := range counts[i] {
			sum += float64(n)
		}
		w[i] = weighSymbols(code, &counts[i], sum, .02)
		if scramble != nil {
			for c := range w[i] {
				w[i][c] += (code.length[scramble[c]] - code.length[c]) * unit
			}
		}
	}
	return w
}

// commandNumber weighs the number of a reliable command, which took size bits.
func (m *model) commandNumber(s *scene, number int32, size uint8) int32 {
	above := number
	if s.hasCommand {
		above = number - s.command
	}
	switch {
	case s.hasCommand && above == 1:
		return int32(size)*unit - unit
	case s.hasCommand && above > 0 && above <= int32(m.gen.CommandWindow):
		return int32(size)*unit - 8*unit
	case s.hasCommand && above > -64 && above <= 0: // the acknowledgement was lost, or is under way
		return int32(size)*unit - 9*unit
	case number > 0 && number < 1<<16:
		return int32(size)*unit - 22*unit
	}
	return int32(size)*unit - 44*unit
}

// deltaNumber weighs the distance to the base snapshot.
func (m *model) deltaNumber(expected int32, v uint32) int32 {
	size := m.code.length[v&0xff] * unit
	switch {
	case expected > 0 && uint32(expected) == v:
		return size - unit
	case v == 0:
		return size - 5*unit
	case v <= 4:
		return size - 3*unit
	case v <= 28:
		return size - 7*unit
	}
	return size - 14*unit
}

// commandTimeWeight weighs the player's command time by how far it lags the server's, whose low
// symbols bytes are known; they took size bits.
func commandTimeWeight(behind uint32, symbols, size uint8) int32 {
	if symbols == 1 {
		return int32(size)*unit - 8*unit
	}
	near := int32(behind<<(32-8*symbols)) >> (32 - 8*symbols)
	switch {
	case near >= -64 && near < 256:
		return int32(size)*unit - 9*unit
	case near >= -1000 && near < 4000:
		return int32(size)*unit - 15*unit
	}
	return int32(size)*unit - (5+8*int32(symbols))*unit
}

// entityGap weighs an entity number by how far it is above the one before.
func (m *model) entityGap(gap int, size uint8) int32 {
	i := 0
	for gap>>(i+1) != 0 {
		i++
	}
	return m.gapBits[i] + int32(size)*unit
}

// timeWeight returns the logarithm of the probability of a residual: how far a time is from the one that the capture's
// clock gives, in milliseconds. Only the low symbols bytes of it are known.
func timeWeight(residual uint32, symbols int) int32 {
	if symbols == 0 {
		return 0
	}
	var near int32
	r := int32(residual<<(32-8*symbols)) >> (32 - 8*symbols)
	if r < 0 {
		r = -r
	}
	switch {
	case r <= 8:
		near = bits5_0
	case r <= 64:
		near = bits8_7
	case r <= 1000:
		near = bits14_5
	default:
		near = -64 * unit
	}
	// One in 64 is anywhere.
	return max(near, int32(-6*unit-8*symbols*unit))
}

const (
	bits5_0  = -5 * unit
	bits8_7  = -87 * unit / 10
	bits14_5 = -29 * unit / 2
)

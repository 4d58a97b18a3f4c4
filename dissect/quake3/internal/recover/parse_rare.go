package recover

import "github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"

// gamestate processes a value between configstrings and baselines.
func (c *cursor) gamestate(m *model, v uint32) {
	switch c.state {
	case stGameCommand:
		c.want(stGameOp, 8)
	case stGameOp:
		switch m.gen.Op(v) {
		case tables.OpConfigstring:
			c.want(stGameIndex, 16)
		case tables.OpBaseline:
			c.want(stEntity, 10)
		case tables.OpEOF:
			c.flags &^= inGamestate
			c.want(stGameClient, 32)
			return
		default:
			c.die()
			return
		}
		c.score += 4 * unit
	case stGameIndex:
		if int(v) >= m.gen.MaxConfigstrings {
			c.die()
			return
		}
		c.field = 0
		c.want(stGameChar, 8)
	case stGameClient:
		if v > 127 {
			c.die()
			return
		}
		c.want(stGameFeed, 32)
	case stGameFeed:
		switch {
		case m.gen.RandomMap:
			c.want(stGameMap, 16)
		case m.gen.FrameTime:
			c.want(stGameMap, 32)
		default:
			c.want(stOp, 8)
		}
	case stGameMap:
		if v != 0 && m.gen.RandomMap { // the random maps of Jedi Academy: no game has any
			c.die()
			return
		}
		c.want(stOp, 8)
	}
}

// download processes a value of a block of a file.
func (c *cursor) download(v uint32) {
	switch c.state {
	case stDownBlock:
		if v == 0 {
			c.want(stDownFile, 32)
			return
		}
		c.want(stDownSize, 16)
	case stDownFile:
		if int32(v) < 0 {
			c.want(stDownError, 8)
			return
		}
		c.want(stDownSize, 16)
	case stDownError:
		if v == 0 {
			c.want(stOp, 8)
			return
		}
		c.want(stDownError, 8)
	case stDownSize:
		if v > 2048 {
			c.die()
			return
		}
		if c.left = uint16(v); v == 0 {
			c.want(stOp, 8)
			return
		}
		c.want(stDownData, 8)
	case stDownData:
		if c.left--; c.left == 0 {
			c.want(stOp, 8)
			return
		}
		c.want(stDownData, 8)
	}
}

// voip processes a value of the voice of 71: sender, generation, sequence, frames, size, flags, data.
func (c *cursor) voip(v uint32) {
	switch c.state {
	case stVoipHead:
		switch c.left {
		case 5, 4:
			c.mask = c.left
			c.left = 3
			c.want(stVoipHead, 8)
		case 3:
			c.left = 2
			c.want(stVoipHead, 32)
		case 2:
			c.left = 1
			c.want(stVoipHead, 8)
		default:
			c.want(stVoipSize, 16)
		}
	case stVoipSize:
		if v > 4000 {
			c.die()
			return
		}
		c.left = uint16(v)
		c.want(stVoipData, 2)
	case stVoipData:
		if c.left == 0 {
			c.want(stOp, 8)
			return
		}
		c.left--
		c.want(stVoipData, 8)
	}
}

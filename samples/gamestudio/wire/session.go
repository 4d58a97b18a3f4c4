package wire

import "math"

// A Step is an application packet of a session.
type Step struct {
	FromClient bool
	Reliable   bool
	Payload    []byte
	Messages   []string // names of the messages in it
	Ends       []int    // where each of them ends, in bytes
}

// A Datagram is what travels.
type Datagram struct {
	FromClient bool
	Payload    []byte
	Messages   []string // names of the messages that are complete with it
}

// A script collects the packets of a session.
type script struct {
	tables  *Tables
	edition string
	coding  Coding
	steps   []Step
	err     error
}

// A call is a message of a script: its name and values.
type call struct {
	name   string
	values Values
}

// send adds a packet of several messages.
func (s *script) send(fromClient, reliable bool, calls ...call) {
	step := Step{FromClient: fromClient, Reliable: reliable}
	for _, c := range calls {
		m := s.tables.Find(s.edition, c.name)
		if m == nil || m.Fields == nil {
			continue // the edition has no such message
		}
		b, err := s.tables.Append(step.Payload, m, c.values, s.coding)
		if err != nil {
			s.err = err
			return
		}
		step.Payload, step.Messages, step.Ends = b, append(step.Messages, c.name), append(step.Ends, len(b))
	}
	if step.Messages != nil {
		s.steps = append(s.steps, step)
	}
}

// units returns coordinates in steps of the wire.
func units(per float64, v ...float64) []int64 {
	list := make([]int64, len(v))
	for i := range v {
		list[i] = int64(math.Round(v[i] * per))
	}
	return list
}

// clientID is the DirectPlay id of the player in the 2002 edition.
const clientID = 0x00030001

// Session is a short game: a player joins, creates an entity, moves it for some seconds among the server's,
// writes skills, hears sounds, and leaves.
func Session(t *Tables, edition string, coding Coding) ([]Step, error) {
	s := &script{tables: t, edition: edition, coding: coding}
	per := 128.0
	if coding.FixedCoordinates {
		per = 1024
	}
	dpid := int64(clientID)
	positionName, lookName := "SVC_UPDATE2", "SVC_UPDATE1"
	if edition == Old2002 {
		positionName = "SVC_UPDATE1"
	}
	s.send(false, true, call{"SVC_INFO", Values{
		"protocol_version": int64(7), "server_time": float32(12.5),
		"frame_time": float32(0.0625),
	}})
	s.send(true, true, call{"CLS_JOIN", Values{"player_dpid": dpid, "player_name": "SyntheticSue"}})
	s.send(true, true, call{"CLS_LEVEL", Values{"level_name": "office.wmb"}})
	s.send(false, true,
		call{"SVC_STRING", Values{"string_index": int64(3), "text": "welcome"}},
		call{"SVC_VAR", Values{"var_index": int64(5), "var_length": int64(2), "var": []int64{1024, -64514}}})
	s.send(true, true, call{"CLS_CREATE", Values{
		"player_dpid": dpid, "file_name": "guard.mdl", "start": units(128, 16, -32.5, 64), "action_index": int64(2),
		"identifier": int64(77),
	}})
	for i, file := range []string{"crate.mdl", "lamp.mdl", "guard.mdl"} {
		entity := int64(7 + i)
		identifier := int64(0)
		if i == 2 {
			identifier = 77
		}
		s.send(false, true,
			call{"SVC_CREATE", Values{"entity_index": entity, "identifier": identifier}},
			call{lookName, Values{"entity_index": entity, "file_name": file, "scale": []int64{256, 256, 512}}},
			call{positionName, Values{
				"entity_index": entity, "pos": units(per, 16*float64(i), -32.5, 64),
				"pan": int64(0x4000),
			}})
	}
	s.send(false, true, call{"SVC_LOCAL", Values{"entity_index": int64(9), "function_index": int64(4)}})
	for tick := range 24 {
		s.tick(tick, per, positionName, dpid)
	}
	s.send(true, true, call{"CLS_REMOVE", Values{"entity_index": int64(9), "entity_dpid": dpid}})
	s.send(false, true, call{"SVC_REMOVE", Values{"entity_index": int64(9)}})
	return s.steps, s.err
}

// tick is what both sides send for one frame of the game.
func (s *script) tick(tick int, per float64, positionName string, dpid int64) {
	angle := int64(int16(tick * 2731))
	updates := []call{
		{positionName, Values{"entity_index": int64(9), "pos": units(per, 32+float64(tick)*1.5, -32.5-float64(tick)/4, 64), "pan": angle}},
	}
	if tick%2 == 0 {
		updates = append(updates, call{positionName, Values{
			"entity_index": int64(7), "frame_int": int64(tick),
			"frame_frc": int64(tick * 9), "nextframe": int64(tick + 1),
		}})
	}
	if tick%4 == 1 {
		updates = append(updates, call{"SVC_UPDATE3", Values{
			"entity_index": int64(8), "lightrange": int64(20 + tick), "red": int64(200), "green": int64(150),
			"blue": int64(tick), "alpha": int64(128),
		}})
	}
	if tick%6 == 2 {
		updates = append(updates, call{"SVC_ENTSOUND", Values{
			"entity_index": int64(7), "sound_index": int64(tick), "volume": int64(200 - tick),
			"sound_handle": int64(1000 + tick),
		}})
	}
	if tick%8 == 3 {
		updates = append(updates, call{"SVC_EFFECT", Values{
			"action_index": int64(6), "number": int64(tick), "start": units(128, 1, 2, 3.5), "vel": units(1024, 0, 0.5, -9.75),
		}})
	}
	s.send(false, false, updates...)
	switch tick % 6 {
	case 0:
		s.send(true, false, call{"CLS_PING", Values{"player_dpid": dpid}})
	case 1:
		s.send(true, true, call{"CLS_SKILL", Values{
			"entity_index": int64(9), "entity_dpid": dpid, "struct_offset": int64(240), "skill": int64(tick) * 1024,
		}})
	case 3:
		s.send(true, true,
			call{"CLS_SKILL3", Values{
				"entity_index": int64(9), "entity_dpid": dpid, "struct_offset": int64(252),
				"skill": units(1024, float64(tick), 0.25, -1),
			}},
			call{"CLS_VAR", Values{"var_index": int64(1), "var_length": int64(1), "var": []int64{int64(tick)}}})
	case 4:
		s.send(false, true,
			call{"SVC_SKILL", Values{"entity_index": int64(7), "struct_offset": int64(240), "skill": int64(tick) << 10}},
			call{"SVC_INFO", Values{
				"protocol_version": int64(7), "server_time": float32(12.5 + float64(tick)/16),
				"frame_time": float32(0.0625),
			}})
	case 5:
		s.send(true, true, call{"CLS_STRING", Values{"string_index": int64(tick), "text": "hello there"}},
			call{"CLS_PING", Values{"player_dpid": dpid}})
	}
}

// Raw sends every packet in a datagram of its own.
func Raw(steps []Step) []Datagram {
	var list []Datagram
	for _, s := range steps {
		list = append(list, Datagram{s.FromClient, s.Payload, s.Messages})
	}
	return list
}

// OverDirectPlay4 sends every packet as a player message.
func OverDirectPlay4(steps []Step) []Datagram {
	const server = 1
	var list []Datagram
	for _, s := range steps {
		from, to := uint32(server), uint32(clientID)
		if s.FromClient {
			from, to = to, from
		}
		list = append(list, Datagram{s.FromClient, Wrap4(s.Payload, from, to), s.Messages})
	}
	return list
}

// OverDirectPlay8 sends the packets through a connection: with handshake, core messages, coalesced and
// split frames, acknowledgements, a keep-alive, and the end that both sides make.
func OverDirectPlay8(steps []Step) []Datagram {
	client, server := &Peer8{Session: 0x79c9aec6, Minor: 6}, &Peer8{Session: 0x79c9aec6, Minor: 6, Listener: true}
	var list []Datagram
	add := func(fromClient bool, frame []byte, messages []string, data bool) {
		list = append(list, Datagram{fromClient, frame, messages})
		switch {
		case !data:
		case fromClient:
			server.Took()
		default:
			client.Took()
		}
	}
	add(true, client.Connect(), nil, false)
	add(false, server.Connected(), nil, false)
	add(true, client.Connected(), nil, false)
	ask, admit := admission()
	add(true, client.Core(0xc1, ask), nil, true)
	add(false, server.Core(0xc2, admit), nil, true)
	add(true, client.Core(0xc3, nil), nil, true)
	for i := 0; i < len(steps); i++ {
		s := steps[i]
		peer := server
		if s.FromClient {
			peer = client
		}
		if i+1 < len(steps) && steps[i+1].FromClient == s.FromClient && s.Reliable && steps[i+1].Reliable {
			messages := append(append([]string{}, s.Messages...), steps[i+1].Messages...)
			add(s.FromClient, peer.Coalesce(s.Payload, steps[i+1].Payload), messages, true)
			i++
			continue
		}
		if s.Reliable && len(s.Payload) > 24 {
			frames := peer.Split(s.Payload, 16)
			for k, frame := range frames {
				var messages []string
				if k == len(frames)-1 {
					messages = s.Messages
				}
				add(s.FromClient, frame, messages, true)
			}
			continue
		}
		add(s.FromClient, peer.Data(s.Reliable, s.Payload), s.Messages, true)
		if i%9 == 4 {
			add(!s.FromClient, otherPeer(peer, client, server).Sack(), nil, false)
		}
	}
	add(true, client.KeepAlive(), nil, true)
	add(true, client.End(), nil, true)
	add(false, server.End(), nil, true)
	return list
}

// admission is how a player joins a session of DirectPlay: the bodies of its request and of the answer, which has the
// server and the player, as MC-DPL8CS wants it of a session of clients and a server.
func admission() (ask, admit []byte) {
	application, instance := [16]byte([]byte("an application..")), [16]byte([]byte("and its session."))
	const serverID = 0x00100002
	ask, _ = CoreMessage("player_connect_info_ex", map[string]any{
		"flags": uint32(2), "library_version": uint32(8), "name": Wide("Synthetic Sue"), "application_guid": application,
	})
	var b CoreBody
	_ = b.Append("send_connect_info", map[string]any{
		"description_size": uint32(80), "flags": uint32(1), "max_players": uint32(8), "current_players": uint32(2),
		"session_name": Wide("Synthetic session"), "instance_guid": instance, "application_guid": application,
		"dpnid": uint32(clientID), "version": uint32(3), "entry_count": uint32(2),
	})
	_ = b.Append("entry", map[string]any{
		"dpnid": uint32(serverID), "flags": uint32(0x402), "version": uint32(2),
		"library_version": uint32(8),
	})
	_ = b.Append("entry", map[string]any{
		"dpnid": uint32(clientID), "flags": uint32(0x200), "version": uint32(3), "library_version": uint32(8),
		"name": Wide("Synthetic Sue"),
	})
	return ask, b.Bytes()
}

func otherPeer(p, a, b *Peer8) *Peer8 {
	if p == a {
		return b
	}
	return a
}

// OverENet sends the packets through a connection of ENet 1.3, or of 1.1 and 1.2: with handshake, fragments,
// acknowledgements and pings. OverENetFirst does so with 1.0.
func OverENet(steps []Step, old, checksum bool) []Datagram {
	const id = 0xa1b2c3d4
	return overENet(steps, NewEPeer(old, checksum, id, 0, 3), NewEPeer(old, checksum, id, 3, 0))
}

// OverENetFirst sends the packets through a connection of ENet 1.0.
func OverENetFirst(steps []Step) []Datagram {
	const challenge = 0xa1b2c3d4
	return overENet(steps, NewEFirst(challenge, 0, 3), NewEFirst(challenge, 3, 0))
}

// An ePeer is an end of a connection of ENet, of any generation.
type ePeer interface {
	Connect() []byte
	Verify() []byte
	Disconnect() []byte
	Ping() []byte
	Ack(command []byte, time uint32) []byte
	Reliable(channel byte, data []byte) []byte
	Unreliable(channel byte, data []byte) []byte
	Fragments(channel byte, data []byte, size int) [][]byte
	Packet(commands ...[]byte) []byte
	Now() uint32
}

func overENet(steps []Step, client, server ePeer) []Datagram {
	var list []Datagram
	add := func(fromClient bool, packet []byte, messages []string) {
		list = append(list, Datagram{fromClient, packet, messages})
	}
	add(true, client.Connect(), nil)
	verify := server.Verify()
	add(false, server.Packet(verify), nil)
	add(true, client.Packet(client.Ack(verify, server.Now())), nil)
	for i, s := range steps {
		p, other := server, client
		if s.FromClient {
			p, other = client, server
		}
		switch {
		case s.Reliable && len(s.Payload) > 24:
			commands := p.Fragments(0, s.Payload, 16)
			for k, c := range commands {
				var messages []string
				if k == len(commands)-1 {
					messages = s.Messages
				}
				add(s.FromClient, p.Packet(c), messages)
			}
		case s.Reliable:
			c := p.Reliable(0, s.Payload)
			add(s.FromClient, p.Packet(c), s.Messages)
			add(!s.FromClient, other.Packet(other.Ack(c, p.Now())), nil)
		default:
			add(s.FromClient, p.Packet(p.Unreliable(1, s.Payload)), s.Messages)
		}
		if i%10 == 9 {
			add(true, client.Packet(client.Ping()), nil)
		}
	}
	add(true, client.Packet(client.Disconnect()), nil)
	return list
}

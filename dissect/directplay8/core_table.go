package directplay8

import "github.com/q3dissect/q3dissect/dissect"

// A coreItem is a value in the fixed part of a core message: a number, a GUID, or the offset and
// size of data after the fixed part.
type coreItem struct {
	field *dissect.Field // a number of 32 bits; a GUID if it is a Label
	place *corePlace
	hint  bool // the number identifies a player, whose name may be known
	maybe bool // may be missing at the end
}

// A corePlace is data that an offset points to: UTF-16 text (a Label), bytes up to a zero (Text),
// bytes (Hex), or a list of addresses. Offsets count from the byte after the message's type.
type corePlace struct{ offset, size, content dissect.Field }

// newPlace describes a place by its key and the specification's spelling.
func newPlace(key, name string, kind dissect.Kind, doc string, children ...*dissect.Field) *corePlace {
	number := func(key, name, unit, doc string) dissect.Field {
		return dissect.Field{Key: key, Name: name, Kind: dissect.Uint, Bits: 32, Unit: unit, Source: coreSource, Doc: doc}
	}
	return &corePlace{
		offset:  number(key+"_offset", "dw"+name+"Offset", "bytes after the message's type", "where "+key+" begins; 0: it is absent"),
		size:    number(key+"_size", "dw"+name+"Size", "bytes", "length of "+key+"; 0: it is absent"),
		content: dissect.Field{Key: key, Kind: kind, Source: coreSource, Doc: doc, Children: children},
	}
}

// secret marks a place that views do not show.
func secret(p *corePlace) *corePlace {
	p.content.Secret = true
	return p
}

// A coreMessage is one kind of core message.
type coreMessage struct {
	kind  uint32
	field dissect.Field // its object; without children if the message has no body
	items []coreItem
}

func newCore(kind uint32, key, name, doc string, items ...coreItem) *coreMessage {
	return &coreMessage{
		kind: kind, items: items,
		field: dissect.Field{Key: key, Name: name, Kind: dissect.Object, Source: coreSource, Doc: doc, Children: children(items)},
	}
}

// children are the fields that items can become.
func children(items []coreItem, more ...*dissect.Field) []*dissect.Field {
	var fields []*dissect.Field
	for _, i := range items {
		switch {
		case i.place != nil:
			fields = append(fields, &i.place.offset, &i.place.size, &i.place.content)
		default:
			fields = append(fields, i.field)
		}
		if i.field == &coreResult {
			fields = append(fields, &coreResultName)
		}
		if i.hint {
			fields = append(fields, &corePlayerHint)
		}
	}
	return append(append(fields, more...), &coreUnreferenced, &dissect.Undecoded)
}

func coreNumber(key, name, doc string) dissect.Field {
	return dissect.Field{Key: key, Name: name, Kind: dissect.Uint, Bits: 32, Source: coreSource, Doc: doc}
}

func coreMask(key, name, doc string, bits ...string) dissect.Field {
	f := coreNumber(key, name, doc)
	f.Enum = &dissect.Enum{Mask: true, Tables: [][]string{bits}}
	return f
}

func item(f *dissect.Field) coreItem   { return coreItem{field: f} }
func player(f *dissect.Field) coreItem { return coreItem{field: f, hint: true} }
func placed(p *corePlace) coreItem     { return coreItem{place: p} }

var (
	versionItems = []coreItem{item(&coreVersion), item(&coreVersionUnused)}
	entryItems   = []coreItem{
		item(&coreDPNID), item(&coreOwner), item(&coreEntryFlags), item(&coreVersion), item(&coreVersionUnused), item(&coreLibrary),
		placed(placeName), placed(placeData), placed(placeURL),
	}
	memberItems = []coreItem{player(&corePlayer), item(&coreGroup), item(&coreVersion), item(&coreVersionUnused)}
	groupItems  = []coreItem{
		item(&coreGroup), player(&corePlayer), item(&coreVersion), item(&coreVersionUnused), item(&coreRequesting), item(&coreContext),
	}
	connectItems = []coreItem{
		item(&coreConnectFlags), item(&coreLibrary), placed(placeName), placed(placeData), placed(placePassword), placed(placeConnectData), placed(placeURL),
		item(&coreInstance), item(&coreApplication),
	}

	alternates = []coreItem{placed(placeAddresses)}

	entryField = dissect.Field{
		Kind: dissect.Object, Name: "DN_NAMETABLE_ENTRY_INFO", Source: coreSource, Doc: "a player or group", Children: children(entryItems),
	}
	memberField = dissect.Field{
		Kind: dissect.Object, Name: "DN_NAMETABLE_MEMBERSHIP_INFO", Source: coreSource, Doc: "a player in a group", Children: children(memberItems),
	}
	entriesField = dissect.Field{Key: "entries", Kind: dissect.List, Source: coreSource, Doc: "players and groups of the name table", Children: []*dissect.Field{&entryField}}
	membersField = dissect.Field{Key: "memberships", Kind: dissect.List, Source: coreSource, Doc: "players in groups", Children: []*dissect.Field{&memberField}}

	opsField = dissect.Field{Key: "operations", Kind: dissect.List, Source: coreSource, Doc: "operations on the name table", Children: []*dissect.Field{&opField}}
	opField  = dissect.Field{Kind: dissect.Object, Source: coreSource, Doc: "one of them", Children: opChildren()}
	opKind   = dissect.Field{
		Key: "message", Name: "dwMsgId", Kind: dissect.Uint, Bits: 32, Source: coreSource, Doc: "core message that the operation was sent with",
		Enum: coreEnum(operations),
	}
	opOffset = dissect.Field{Key: "op_offset", Name: "dwOpOffset", Kind: dissect.Uint, Bits: 32, Unit: "bytes after the message's type", Source: coreSource, Doc: "where the operation's message begins"}
	opSize   = dissect.Field{Key: "op_size", Name: "dwOpSize", Kind: dissect.Uint, Bits: 32, Unit: "bytes", Source: coreSource, Doc: "length of the operation's message"}
)

// Types of core messages that the code refers to.
const (
	coreConnectInfo     = 0xc1
	coreSendConnectInfo = 0xc2
	coreAckNametableOp  = 0xcc
	coreAddPlayer       = 0xd0
	coreUpdateInfo      = 0xdb
	coreTerminate       = 0xdf
	coreRequestNotice   = 0xe0
	coreFirst           = 0xc1
	coreTypes           = 0xe5 - coreFirst
	modernLibrary       = 7 // its connect info ends with the alternate addresses
)

// coreMessages lists all messages that MC-DPL8CS describes, by type.
var coreMessages = newCoreMessages()

// coreEnum names the types of messages.
func coreEnum(messages []*coreMessage) *dissect.Enum {
	names := make([]string, coreTypes)
	for _, m := range messages {
		names[m.kind-coreFirst] = m.field.Key
	}
	return &dissect.Enum{First: coreFirst, Tables: [][]string{names}}
}

// coreOf returns the message of a type, or nil.
func coreOf(kind uint64) *coreMessage {
	if kind -= coreFirst; kind < coreTypes {
		return coreIndex[kind]
	}
	return nil
}

// coreIndex is indexed by the type of a message.
var coreIndex = func() (index [coreTypes]*coreMessage) {
	for _, m := range coreMessages {
		index[m.kind-coreFirst] = m
	}
	return index
}()

// opChildren are the fields of an operation: its head, and the body of one of the messages.
func opChildren() []*dissect.Field {
	fields := []*dissect.Field{&opKind, &opOffset, &opSize}
	for _, m := range operations {
		fields = append(fields, &m.field)
	}
	return append(fields, &coreBody, &dissect.Undecoded)
}

// operations are the messages that change the name table.
var operations = []*coreMessage{
	newCore(0xc6, "instruct_connect", "DN_INSTRUCT_CONNECT", "instructs a peer to connect to another", append([]coreItem{player(&coreDPNID)}, versionItems...)...),
	newCore(coreAddPlayer, "add_player", "DN_ADD_PLAYER", "a peer has come", entryItems...),
	newCore(0xd1, "destroy_player", "DN_DESTROY_PLAYER", "a peer is gone", append(append([]coreItem{player(&coreDPNID)}, versionItems...), item(&coreReason))...),
	newCore(0xd7, "create_group", "DN_CREATE_GROUP", "a group was created; the specification describes the first two numbers only", item(&coreRequesting), item(&coreContext)),
	newCore(0xd8, "destroy_group", "DN_DESTROY_GROUP", "a group is no more",
		item(&coreGroup), item(&coreVersion), item(&coreVersionUnused), item(&coreRequesting), item(&coreContext)),
	newCore(0xd9, "add_player_to_group", "DN_ADD_PLAYER_TO_GROUP", "a player was added to a group", groupItems...),
	newCore(0xda, "delete_player_from_group", "DN_DELETE_PLAYER_FROM_GROUP", "a player was removed from a group", groupItems...),
	newCore(coreUpdateInfo, "update_info", "DN_UPDATE_INFO", "a player's or group's name or data have changed",
		item(&coreContext), player(&coreDPNID), item(&coreVersion), item(&coreVersionUnused), item(&coreInfoFlags),
		placed(placeName), placed(placeData), item(&coreRequesting)),
}

func newCoreMessages() []*coreMessage {
	// In the specification the request to destroy a group names a player, as the request to leave a
	// group does. That may be an oversight, so the request may end before it.
	destroyed := player(&corePlayer)
	destroyed.maybe = true
	list := append([]*coreMessage{
		newCore(coreConnectInfo, "player_connect_info", "DN_INTERNAL_MESSAGE_PLAYER_CONNECT_INFO", "asks to join the session", connectItems...),
		newCore(coreSendConnectInfo, "send_connect_info", "DN_SEND_CONNECT_INFO", "the player has joined: the session and its name table",
			placed(placeReply), item(&coreDescription), item(&coreSession), item(&coreMaxPlayers), item(&corePlayers), placed(placeSession), placed(placePassword),
			placed(placeReserved), placed(placeAppReserved), item(&coreInstance), item(&coreApplication), item(&coreDPNID), item(&coreVersion),
			item(&coreVersionUnused), item(&coreEntryCount), item(&coreMemberCount)),
		newCore(0xc3, "ack_connect_info", "DN_ACK_CONNECT_INFO", ""),
		newCore(0xc4, "send_player_dnid", "DN_SEND_PLAYER_DPNID", "a peer says who it is", player(&coreDPNID)),
		newCore(0xc5, "connect_failed", "DN_CONNECT_FAILED", "the player may not join", item(&coreResult), placed(placeReply)),
		newCore(0xc7, "instructed_connect_failed", "DN_INSTRUCTED_CONNECT_FAILED", "a peer could not connect to another", player(&coreDPNID)),
		newCore(0xc8, "connect_attempt_failed", "DN_CONNECT_ATTEMPT_FAILED", "another peer could not connect to this one", player(&coreDPNID)),
		newCore(0xc9, "nametable_version", "DN_NAMETABLE_VERSION", "version of the sender's name table", versionItems...),
		newCore(0xca, "resync_version", "DN_RESYNC_VERSION", "operations before this version need not be kept", versionItems...),
		newCore(0xcb, "req_nametable_op", "DN_REQ_NAMETABLE_OP", "asks for operations that the new host has missed", versionItems...),
		newCore(coreAckNametableOp, "ack_nametable_op", "DN_ACK_NAMETABLE_OP", "operations that the new host has missed", item(&coreOpCount)),
		newCore(0xcd, "host_migrate", "DN_HOST_MIGRATE", "another host takes over", item(&coreOldHost), item(&coreNewHost)),
		newCore(0xce, "host_migrate_complete", "DN_HOST_MIGRATE_COMPLETE", ""),
		newCore(0xd2, "req_create_group", "DN_REQ_CREATE_GROUP", "asks for a group",
			item(&coreContext), item(&coreGroupFlags), item(&coreInfoFlags), placed(placeName), placed(placeData)),
		newCore(0xd3, "req_add_player_to_group", "DN_REQ_ADD_PLAYER_TO_GROUP", "asks to add a player to a group", item(&coreContext), item(&coreGroup), player(&corePlayer)),
		newCore(0xd4, "req_delete_player_from_group", "DN_REQ_DELETE_PLAYER_FROM_GROUP", "asks to remove a player from a group",
			item(&coreContext), item(&coreGroup), player(&corePlayer)),
		newCore(0xd5, "req_destroy_group", "DN_REQ_DESTROY_GROUP", "asks to destroy a group", item(&coreContext), item(&coreGroup), destroyed),
		newCore(0xd6, "req_update_info", "DN_REQ_UPDATE_INFO", "asks to change a player's or group's name or data",
			item(&coreContext), player(&coreDPNID), item(&coreInfoFlags), placed(placeName), placed(placeData)),
		newCore(coreTerminate, "terminate_session", "DN_TERMINATE_SESSION", "orders the player to leave", placed(placeTerminate)),
		newCore(coreRequestNotice, "req_process_completion", "DN_REQ_PROCESS_COMPLETION", "carries the application's bytes and wants to know when they were taken", item(&coreContext)),
		newCore(0xe1, "process_completion", "DN_PROCESS_COMPLETION", "the application has taken what was sent", item(&coreContext)),
		newCore(0xe2, "req_integrity_check", "DN_REQ_INTEGRITY_CHECK", "asks the host whether a player is still there", item(&coreContext), player(&coreTarget)),
		newCore(0xe3, "integrity_check", "DN_INTEGRITY_CHECK", "asks a player whether it is still there", player(&coreRequesting)),
		newCore(0xe4, "integrity_check_response", "DN_INTEGRITY_CHECK_RESPONSE", "the player is still there", player(&coreRequesting)),
	}, operations...)
	for _, m := range list {
		switch m.kind {
		case coreConnectInfo:
			m.field.Children = children(append(connectItems[:len(connectItems):len(connectItems)], alternates...))
		case coreSendConnectInfo:
			m.field.Children = children(m.items, &entriesField, &membersField)
		case coreAckNametableOp:
			m.field.Children = children(m.items, &opsField)
		}
	}
	return list
}

package wire

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
)

// Core are DirectPlay's own messages as the diagrams of MC-DPL8CS 2.2 show them: by name the type and the values of
// the fixed part in order. "name@" is an offset and a size, "guid*" are 16 bytes, all else 32 bits.
var Core = map[string]struct {
	Type   uint32
	Layout string
}{
	"player_connect_info": {
		0xc1,
		"flags library_version name@ data@ password@ connect_data@ url@ instance_guid* application_guid*",
	},
	"player_connect_info_ex": {
		0xc1,
		"flags library_version name@ data@ password@ connect_data@ url@ instance_guid* application_guid* " +
			"alternate_addresses@",
	},
	"send_connect_info": {
		0xc2,
		"reply@ description_size flags max_players current_players session_name@ password@ reserved_data@ " +
			"application_reserved_data@ instance_guid* application_guid* dpnid version version_not_used entry_count " +
			"membership_count",
	},
	"entry": {
		0,
		"dpnid owner_dpnid flags version version_not_used library_version name@ data@ url@",
	},
	"membership":                {0, "player_dpnid group_dpnid version version_not_used"},
	"ack_connect_info":          {0xc3, ""},
	"send_player_dnid":          {0xc4, "dpnid"},
	"connect_failed":            {0xc5, "result reply@"},
	"instruct_connect":          {0xc6, "dpnid version version_not_used"},
	"instructed_connect_failed": {0xc7, "dpnid"},
	"connect_attempt_failed":    {0xc8, "dpnid"},
	"nametable_version":         {0xc9, "version version_not_used"},
	"resync_version":            {0xca, "version version_not_used"},
	"req_nametable_op":          {0xcb, "version version_not_used"},
	"host_migrate":              {0xcd, "old_host_dpnid new_host_dpnid"},
	"host_migrate_complete":     {0xce, ""},
	"add_player": {
		0xd0,
		"dpnid owner_dpnid flags version version_not_used library_version name@ data@ url@",
	},
	"destroy_player":               {0xd1, "dpnid version version_not_used reason"},
	"req_create_group":             {0xd2, "context group_flags info_flags name@ data@"},
	"req_add_player_to_group":      {0xd3, "context group_dpnid player_dpnid"},
	"req_delete_player_from_group": {0xd4, "context group_dpnid player_dpnid"},
	"req_destroy_group":            {0xd5, "context group_dpnid player_dpnid"},
	"req_update_info":              {0xd6, "context dpnid info_flags name@ data@"},
	"create_group":                 {0xd7, "requesting_dpnid context"},
	"destroy_group":                {0xd8, "group_dpnid version version_not_used requesting_dpnid context"},
	"add_player_to_group":          {0xd9, "group_dpnid player_dpnid version version_not_used requesting_dpnid context"},
	"delete_player_from_group":     {0xda, "group_dpnid player_dpnid version version_not_used requesting_dpnid context"},
	"update_info": {
		0xdb,
		"context dpnid version version_not_used info_flags name@ data@ requesting_dpnid",
	},
	"terminate_session":        {0xdf, "terminate_data@"},
	"req_process_completion":   {0xe0, "context"},
	"process_completion":       {0xe1, "context"},
	"req_integrity_check":      {0xe2, "context target_dpnid"},
	"integrity_check":          {0xe3, "requesting_dpnid"},
	"integrity_check_response": {0xe4, "requesting_dpnid"},
}

// A CoreBody is the body of a core message in the making: fixed parts, and then what their offsets point to.
type CoreBody struct {
	fixed  []byte
	behind []byte
	later  []func(fixed int) // put offsets in once the fixed part's length is known
}

// Append adds the fixed part of a message or structure. Values are uint32 for numbers, [16]byte for GUIDs and []byte
// for what an offset points to; a missing one is 0. Offsets and sizes are put into values too, when Bytes is
// called, under the name with _offset and _size.
func (b *CoreBody) Append(name string, values map[string]any) error {
	layout, ok := Core[name]
	if !ok {
		return fmt.Errorf("no core message %q", name)
	}
	for _, field := range strings.Fields(layout.Layout) {
		switch key := strings.TrimRight(field, "@*"); {
		case strings.HasSuffix(field, "@"):
			content, _ := values[key].([]byte)
			b.point(key, content, values)
		case strings.HasSuffix(field, "*"):
			guid, _ := values[key].([16]byte)
			b.fixed = append(b.fixed, guid[:]...)
		default:
			n, _ := values[key].(uint32)
			b.fixed = binary.LittleEndian.AppendUint32(b.fixed, n)
		}
	}
	return nil
}

// point adds an offset and a size.
func (b *CoreBody) point(key string, content []byte, values map[string]any) {
	at, from, size := len(b.fixed), uint32(len(b.behind)), uint32(len(content))
	b.fixed = append(b.fixed, make([]byte, 8)...)
	b.behind = append(b.behind, content...)
	b.later = append(b.later, func(fixed int) {
		offset := uint32(fixed) + from
		if size == 0 {
			offset = 0
		}
		binary.LittleEndian.PutUint32(b.fixed[at:], offset)
		binary.LittleEndian.PutUint32(b.fixed[at+4:], size)
		values[key+"_offset"], values[key+"_size"] = offset, size
	})
}

// Bytes is the body, which follows the message's type.
func (b *CoreBody) Bytes() []byte {
	for _, put := range b.later {
		put(len(b.fixed))
	}
	b.later = nil
	return append(append([]byte(nil), b.fixed...), b.behind...)
}

// CoreMessage is the body of a message without lists.
func CoreMessage(name string, values map[string]any) ([]byte, error) {
	var b CoreBody
	err := b.Append(name, values)
	return b.Bytes(), err
}

// An Operation is a message that a name table operation was sent with: its name and its body.
type Operation struct {
	Name string
	Body []byte
}

// Operations is the body of DN_ACK_NAMETABLE_OP, with the heads in a row or each before its operation.
func Operations(inRow bool, ops ...Operation) []byte {
	little := binary.LittleEndian
	b := little.AppendUint32(nil, uint32(len(ops)))
	behind := 4 + 12*len(ops)
	for _, op := range ops {
		from := len(b) + 12
		if inRow {
			from = behind
			behind += len(op.Body)
		}
		b = little.AppendUint32(b, Core[op.Name].Type)
		b = little.AppendUint32(b, uint32(from))
		b = little.AppendUint32(b, uint32(len(op.Body)))
		if !inRow {
			b = append(b, op.Body...)
		}
	}
	for _, op := range ops {
		if inRow {
			b = append(b, op.Body...)
		}
	}
	return b
}

// Wide is a text in UTF-16 with its zero.
func Wide(text string) []byte {
	var b []byte
	for _, u := range append(utf16.Encode([]rune(text)), 0) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// AlternateAddress is a DN_ALTERNATE_ADDRESS of the bytes of an IPv4 or IPv6 address.
func AlternateAddress(address []byte, port uint16) []byte {
	family := byte(2)
	if len(address) == 16 {
		family = 0x17
	}
	b := []byte{byte(3 + len(address)), family}
	return append(binary.BigEndian.AppendUint16(b, port), address...)
}

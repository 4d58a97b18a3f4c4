package gamestudio

import "github.com/q3dissect/q3dissect/dissect"

// Fields of core messages.
var (
	coreField  = dissect.Field{Key: "core", Kind: dissect.Object, Source: coreSource, Doc: "message of DirectPlay itself", Children: coreChildren}
	coreJoined = dissect.Field{
		Key: "core", Kind: dissect.Object, Scope: dissect.Message, Source: coreSource, Doc: "message of DirectPlay itself", Children: coreChildren,
	}
	coreChildren = []*dissect.Field{
		&coreType, &coreFlags, &coreLibrary, &coreName, &coreContext, &coreResult, &coreInstance, &coreApplication, &coreBody, &dissect.Undecoded,
	}
	coreType = dissect.Field{
		Key: "type", Name: "dwPacketType", Kind: dissect.Uint, Bits: 32, Source: coreSource, Doc: "kind of the message",
		Enum: &dissect.Enum{Tables: [][]string{coreNames()}},
	}
	coreFlags = dissect.Field{
		Key: "flags", Name: "dwFlags", Kind: dissect.Uint, Bits: 32, Source: coreSource, Doc: "role of the player that connects",
		Enum: &dissect.Enum{Mask: true, Tables: [][]string{{"", "client", "peer"}}},
	}
	coreLibrary = dissect.Field{
		Key: "library_version", Name: "dwDNETVersion", Kind: dissect.Uint, Bits: 32, Source: coreSource, Doc: "version of the DirectPlay library",
		Enum: &dissect.Enum{Tables: [][]string{{"", "directx_8_0", "directx_8_1", "", "", "", "directx_8_2", "directx_9", "directx_9"}}},
	}
	coreName        = dissect.Field{Key: "player_name", Kind: dissect.Label, Source: coreSource, Doc: "name of the player, UTF-16 on the wire"}
	coreContext     = dissect.Field{Key: "context", Kind: dissect.Uint, Bits: 32, Source: coreSource, Doc: "number that the completion notice repeats"}
	coreResult      = dissect.Field{Key: "result", Name: "hResultCode", Kind: dissect.Uint, Bits: 32, Source: coreSource, Doc: "why the connection failed, an HRESULT"}
	coreInstance    = dissect.Field{Key: "instance_guid", Kind: dissect.Label, Bits: 128, Source: coreSource, Doc: "the session"}
	coreApplication = dissect.Field{Key: "application_guid", Kind: dissect.Label, Bits: 128, Source: coreSource, Doc: "the application"}
	coreBody        = dissect.Field{Key: "data", Kind: dissect.Hex, Source: coreSource, Doc: "the rest of the message, not taken apart"}
)

// Types of core messages that are taken apart.
const (
	coreConnectInfo   = 0xc1
	coreConnectFailed = 0xc5
	coreRequestNotice = 0xe0
	coreNotice        = 0xe1
	coreOffsetsFrom   = 4 // offsets in core messages count from the byte behind the type
	modernLibrary     = 7 // has one pair of offset and size more
)

// coreNames are the names of the types, from MC-DPL8CS without their prefix DN_MSG_INTERNAL_.
func coreNames() []string {
	names := make([]string, 0xe5)
	copy(names[0xc1:], []string{
		"player_connect_info", "send_connect_info", "ack_connect_info", "send_player_dnid", "connect_failed",
		"instruct_connect", "instructed_connect_failed", "connect_attempt_failed", "nametable_version", "resync_version",
		"req_nametable_op", "ack_nametable_op", "host_migrate", "host_migrate_complete", "update_application_desc",
		"add_player", "destroy_player", "create_group", "destroy_group", "add_player_to_group", "delete_player_from_group",
		"update_info", "req_create_group", "req_destroy_group", "req_add_player_to_group", "req_delete_player_from_group",
		"req_update_info",
	})
	names[0xdf] = "terminate_session"
	copy(names[0xe0:], []string{"req_process_completion", "process_completion", "req_integrity_check", "integrity_check", "integrity_check_response"})
	return names
}

// core reads the core message in b[at:end] into f. It gives the place of the application's bytes that the
// message wraps, or -1.
func (r *reader) core(f *dissect.Field, at, end int) (application int) {
	whole, outer := r.end, r.at
	r.at, r.end = at, end
	application = -1
	r.enter(f)
	switch kind := r.number(&coreType); {
	case r.failed():
	case kind == coreConnectInfo:
		r.connectInfo(at + coreOffsetsFrom)
	case kind == coreConnectFailed:
		r.number(&coreResult)
	case kind == coreRequestNotice:
		r.number(&coreContext)
		if application = r.at; r.failed() {
			application = -1
		}
	case kind == coreNotice:
		r.number(&coreContext)
	}
	if !r.failed() && application < 0 && r.rest() > 0 {
		r.hex(&coreBody, r.rest())
	}
	r.leave()
	r.end = whole
	r.at = max(outer, r.at)
	if r.failed() {
		r.at = min(r.at, whole)
	}
	return application
}

// connectInfo reads what a player says about itself; offsets count from byte base.
func (r *reader) connectInfo(base int) {
	r.number(&coreFlags)
	library := r.number(&coreLibrary)
	pairs := 5 // name, data, password, connect data, URL
	if library >= modernLibrary {
		pairs++
	}
	at := r.at
	b := r.take(&coreName, pairs*8)
	if b == nil {
		return
	}
	offset, size := little(b[:4]), little(b[4:8])
	if end := uint64(base) + offset + size; offset > 0 && size > 0 && offset < uint64(r.end) && size < uint64(r.end) && end <= uint64(r.end) {
		place := base + int(offset)
		r.utf16(&coreName, r.b[place:end], place)
	}
	if r.rest() < 2*guidBytes {
		r.fail(&coreInstance, at, dissect.ErrTruncated)
		return
	}
	r.guid(&coreInstance)
	r.guid(&coreApplication)
}

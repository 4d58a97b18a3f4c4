package directplay8

import "github.com/q3dissect/q3dissect/dissect"

// Numbers of core messages.
var (
	coreContext       = coreNumber("context", "dwPacketContext", "number of the request, repeated in what answers it")
	coreDPNID         = coreNumber("dpnid", "", "DirectPlay id of the player or group")
	coreOwner         = coreNumber("owner_dpnid", "dpnidOwner", "DirectPlay id of the owner of a group; 0 for players")
	corePlayer        = coreNumber("player_dpnid", "dpnidPlayer", "DirectPlay id of the player")
	coreGroup         = coreNumber("group_dpnid", "dpnidGroup", "DirectPlay id of the group")
	coreRequesting    = coreNumber("requesting_dpnid", "dpnidRequesting", "DirectPlay id of the player that asked")
	coreTarget        = coreNumber("target_dpnid", "dpnidTarget", "DirectPlay id of the player to look after")
	coreOldHost       = coreNumber("old_host_dpnid", "dpnidOldHost", "DirectPlay id of the host that is gone")
	coreNewHost       = coreNumber("new_host_dpnid", "dpnidNewHost", "DirectPlay id of the new host")
	coreVersion       = coreNumber("version", "dwVersion", "version of the name table, counted up by each change")
	coreVersionUnused = coreNumber("version_not_used", "dwVersionNotUsed", "not used")
	coreMaxPlayers    = coreNumber("max_players", "dwMaxPlayers", "players at most; 0: no limit")
	corePlayers       = coreNumber("current_players", "dwCurrentPlayers", "players now")
	coreDescription   = coreNumber("description_size", "dwSize", "bytes from here to the application's GUID, always 80")
	coreEntryCount    = coreNumber("entry_count", "dwEntryCount", "entries of the name table that follow")
	coreMemberCount   = coreNumber("membership_count", "dwMembershipCount", "memberships that follow")
	coreOpCount       = coreNumber("num_entries", "dwNumEntries", "operations that follow")
	coreResult        = coreNumber("result", "hResultCode", "why the connection failed, an HRESULT")
	coreResultName    = dissect.Field{Key: "result_name", Kind: dissect.Label, Source: coreSource, Doc: "DPNERR_ constant of the result"}

	coreConnectFlags = coreMask("flags", "dwFlags", "role of the player that connects", "", "client", "peer")
	coreSession      = coreMask("flags", "dwFlags", "properties of the session", sessionFlags...)
	coreInfoFlags    = coreMask("info_flags", "dwInfoFlags", "what is changed", "name", "data")
	coreGroupFlags   = coreMask("group_flags", "dwGroupFlags", "properties of the group", "autodestruct")
	coreEntryFlags   = coreMask("flags", "dwFlags", "properties of the entry",
		"local", "host", "all_players_group", "", "group", "", "group_autodestruct", "", "peer", "client", "server", "",
		"connecting", "available", "disconnecting", "", "indicated", "created", "need_to_destroy", "in_use")
	coreReason = dissect.Field{
		Key: "reason", Name: "dwDestroyReason", Kind: dissect.Uint, Bits: 32, Source: coreSource,
		Doc: "why the player is gone", Enum: &dissect.Enum{Tables: [][]string{{
			"", "normal", "connectionlost",
			"sessionterminated", "hostdestroyedplayer",
		}}},
	}
	coreLibrary = dissect.Field{
		Key: "library_version", Name: "dwDNETVersion", Kind: dissect.Uint, Bits: 32, Source: coreSource,
		Doc: "version of the DirectPlay library",
		Enum: &dissect.Enum{Tables: [][]string{{
			"", "directx_8_0", "directx_8_1", "pocket_pc", "", "windows_server_2003", "directx_8_2", "directx_9", "directx_9",
		}}},
	}
	coreInstance    = dissect.Field{Key: "instance_guid", Name: "guidInstance", Kind: dissect.Label, Bits: 128, Source: coreSource, Doc: "the session; zeros: any"}
	coreApplication = dissect.Field{Key: "application_guid", Name: "guidApplication", Kind: dissect.Label, Bits: 128, Source: coreSource, Doc: "the application"}

	corePlayerHint = dissect.Field{
		Key: "player_hint", Kind: dissect.Text,
		Doc: "a hint, not in the message: the name that an earlier message gave the player",
	}
	coreUnreferenced = dissect.Field{
		Key: "unreferenced", Kind: dissect.List, Doc: "bytes of the message that no offset points to",
		Children: []*dissect.Field{{Kind: dissect.Hex}},
	}
)

// sessionFlags are the DPNSESSION_ constants, bit by bit.
var sessionFlags = []string{
	"client_server", "", "migrate_host", "", "", "", "nodpnsvr", "requirepassword", "noenums",
	"fast_signed", "full_signed",
}

// What offsets point to.
var (
	placeName     = newPlace("name", "Name", dissect.Label, "name of the player or group, UTF-16 on the wire")
	placeData     = newPlace("data", "Data", dissect.Hex, "the application's data about the player or group")
	placePassword = secret(newPlace("password", "Password", dissect.Label,
		"password of the session, UTF-16 on the wire, in the clear"))
	placeConnectData = newPlace("connect_data", "ConnectData", dissect.Hex, "what the application sends with the request")
	placeURL         = newPlace("url", "URL", dissect.Text, "address of the player, x-directplay:/key=value;...")
	placeAddresses   = newPlace("alternate_addresses", "AlternateAddressData", dissect.List,
		"further addresses of the player, 12 at most", &addressField)
	placeReply       = newPlace("reply", "Reply", dissect.Hex, "what the application answers")
	placeSession     = newPlace("session_name", "SessionName", dissect.Label, "name of the session, UTF-16 on the wire")
	placeReserved    = newPlace("reserved_data", "ReservedData", dissect.Hex, "reserved")
	placeAppReserved = newPlace("application_reserved_data", "ApplicationReservedData", dissect.Hex,
		"the application's data about the session")
	placeTerminate = newPlace("terminate_data", "TerminateData", dissect.Hex, "what the application says of the reason")

	addressField = dissect.Field{
		Kind: dissect.Object, Name: "DN_ALTERNATE_ADDRESS", Source: coreSource, Doc: "one of them",
		Children: []*dissect.Field{&addressSize, &addressFamily, &addressPort, &addressText, &addressData},
	}
	addressSize   = dissect.Field{Key: "size", Name: "bSize", Kind: dissect.Uint, Bits: 8, Unit: "bytes", Source: coreSource, Doc: "of what follows"}
	addressFamily = dissect.Field{Key: "family", Name: "bFamily", Kind: dissect.Uint, Bits: 8, Source: coreSource, Doc: "2: IPv4; 23: IPv6"}
	addressPort   = dissect.Field{Key: "port", Name: "wPort", Kind: dissect.Uint, Bits: 16, Source: coreSource, Doc: "UDP port, most significant byte first"}
	addressText   = dissect.Field{Key: "address", Name: "dwAddrIn", Kind: dissect.Label, Source: coreSource, Doc: "the IPv4 or IPv6 address"}
	addressData   = dissect.Field{Key: "data", Kind: dissect.Hex, Source: coreSource, Doc: "an address of another family or length"}
)

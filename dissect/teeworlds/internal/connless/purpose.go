package connless

import "github.com/q3dissect/q3dissect/dissect"

// Purposes are what messages that ask for something are for, by their names. Others have none.
var Purposes = map[string]dissect.QueryPurpose{
	"getinfo": dissect.QueryFacts, "getinfo_64_legacy": dissect.QueryFacts,
	"getlist": dissect.QueryServers, "getcount": dissect.QueryServers,
	"heartbeat": dissect.QueryAnnounces,
}

package oob

import (
	"time"

	"github.com/q3dissect/q3dissect/dissect"
)

// limit is what ioquake3 allows each address: getstatus, getinfo, getchallenge and rcon share a bucket, whatever the
// port. Servers have another limit for all addresses together, 10 at once and 10 each second, which is not this one.
//
// SVC_RateLimit, SVC_BucketForAddress and their callers in code/server/sv_main.c and sv_client.c of ioquake3.
var limit = dissect.RateLimit{Burst: 10, Period: time.Second, Marker: 0xffffffff}

// Purpose returns what a command that is sent to a server is for, and the engine's limit for it.
func (k Kind) Purpose() (dissect.QueryPurpose, dissect.RateLimit) {
	switch k {
	case GetInfo, GetStatus:
		return dissect.QueryFacts, limit
	case GetChallenge:
		return dissect.QueryEnters, limit
	case Connect:
		return dissect.QueryEnters, dissect.RateLimit{}
	case Rcon:
		return dissect.QueryRemote, limit
	case GetServers, GetServersExt:
		return dissect.QueryServers, dissect.RateLimit{}
	case Heartbeat:
		return dissect.QueryAnnounces, dissect.RateLimit{}
	}
	return dissect.QueryOther, dissect.RateLimit{}
}

// KindOf returns the kind of a command word.
func KindOf(word []byte) Kind { return kindOf(word) }

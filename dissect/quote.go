package dissect

import (
	"net/netip"
	"strconv"
	"strings"
)

// A Quote is the UDP datagram, or its beginning, that an ICMP error quotes: RFC 792, RFC 4443. A host or router reports
// that it did not deliver it.
type Quote struct {
	V6         bool       // the error is ICMPv6
	Type, Code uint8      // of the error
	MTU        int        // that the next link takes, of an error that needs fragmentation; 0: not in the error
	By, To     netip.Addr // who sent the error, and to whom: the sender of the datagram, or whom it claimed to be

	Src, Dst netip.AddrPort // of the quoted datagram
	Payload  []byte         // of it, as far as it is quoted; nil in a Record, where it is the record's own
	Length   int            // payload bytes that the datagram had
}

// A QuoteKind sorts ICMP errors by what they mean for the sender.
type QuoteKind uint8

// The kinds.
const (
	QuotedOther QuoteKind = iota // redirects, source quench, errors in headers
	QuotedUnreachable
	QuotedTimeExceeded
	QuotedNeedsFragmentation
)

// Numbers of ICMP errors: RFC 792, RFC 1191, RFC 4443.
const (
	icmpUnreachable   = 3
	icmpSourceQuench  = 4
	icmpRedirect      = 5
	icmpTimeExceeded  = 11
	icmpParameter     = 12
	icmpFragmentation = 4 // a code of unreachable

	icmp6Unreachable  = 1
	icmp6TooBig       = 2
	icmp6TimeExceeded = 3
	icmp6Parameter    = 4
)

// Kind returns the kind of the error.
func (q *Quote) Kind() QuoteKind {
	switch {
	case q.V6 && q.Type == icmp6TooBig, !q.V6 && q.Type == icmpUnreachable && q.Code == icmpFragmentation:
		return QuotedNeedsFragmentation
	case q.V6 && q.Type == icmp6Unreachable, !q.V6 && q.Type == icmpUnreachable:
		return QuotedUnreachable
	case q.V6 && q.Type == icmp6TimeExceeded, !q.V6 && q.Type == icmpTimeExceeded:
		return QuotedTimeExceeded
	}
	return QuotedOther
}

// quoteNames are the names of the errors' codes, by type: https://www.iana.org/assignments/icmp-parameters and
// https://www.iana.org/assignments/icmpv6-parameters.
var quoteNames = [2]map[uint8][]string{{
	icmpUnreachable: {
		"network_unreachable", "host_unreachable", "protocol_unreachable", "port_unreachable", "fragmentation_needed",
		"source_route_failed", "network_unknown", "host_unknown", "source_host_isolated", "network_prohibited",
		"host_prohibited", "network_unreachable_for_service", "host_unreachable_for_service",
		"administratively_prohibited", "host_precedence_violation", "precedence_cutoff",
	},
	icmpSourceQuench: {"source_quench"},
	icmpRedirect: {
		"redirect_for_network", "redirect_for_host", "redirect_for_service_and_network",
		"redirect_for_service_and_host",
	},
	icmpTimeExceeded: {"ttl_exceeded", "reassembly_time_exceeded"},
	icmpParameter:    {"bad_header", "option_missing", "bad_length"},
}, {
	icmp6Unreachable: {
		"no_route", "administratively_prohibited", "beyond_scope", "address_unreachable", "port_unreachable",
		"source_policy", "route_rejected", "source_route_failed",
	},
	icmp6TooBig:       {"packet_too_big"},
	icmp6TimeExceeded: {"hop_limit_exceeded", "reassembly_time_exceeded"},
	icmp6Parameter:    {"bad_header", "unknown_next_header", "unknown_option"},
}}

// Name returns the kind of the error, "port_unreachable", or its numbers where it has no name, "icmp_3_99".
func (q *Quote) Name() string {
	family, prefix := 0, "icmp_"
	if q.V6 {
		family, prefix = 1, "icmpv6_"
	}
	if names := quoteNames[family][q.Type]; int(q.Code) < len(names) {
		return names[q.Code]
	}
	return prefix + strconv.Itoa(int(q.Type)) + "_" + strconv.Itoa(int(q.Code))
}

// AppendInfo appends the error in words: "ICMP port unreachable from 192.0.2.1".
func (q *Quote) AppendInfo(dst []byte) []byte {
	dst = append(append(dst, "ICMP "...), strings.ReplaceAll(q.Name(), "_", " ")...)
	if q.MTU > 0 {
		dst = append(strconv.AppendInt(append(dst, " (MTU "...), int64(q.MTU), 10), ')')
	}
	return q.By.AppendTo(append(dst, " from "...))
}

// Quotes reports whether a packet of a type is an error, which quotes the packet that caused it.
func Quotes(v6 bool, icmpType uint8) bool {
	family := 0
	if v6 {
		family = 1
	}
	_, ok := quoteNames[family][icmpType]
	return ok
}

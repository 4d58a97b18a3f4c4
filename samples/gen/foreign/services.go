package foreign

import "fmt"

// services are questions and answers of networks, devices and their management.
var services = []Kind{
	{Name: "dns", Port: 53, fill: dns},
	{Name: "mdns", Port: 5353, fill: mdns},
	{Name: "ssdp", Port: 1900, fill: ssdp},
	{Name: "dht", Port: 6881, fill: dht},
	{Name: "dhcp", Port: 67, fill: dhcp},
	{Name: "ntp", Port: 123, fill: ntp},
	{Name: "snmp", Port: 161, fill: snmp},
	{Name: "syslog", Port: 514, fill: syslog},
	{Name: "tftp", Port: 69, fill: tftp},
	{Name: "coap", Port: 5683, fill: coap},
	{Name: "radius", Port: 1812, fill: radius},
	{Name: "netflow", Port: 2055, fill: netflow},
	{Name: "sflow", Port: 6343, fill: sflow},
	{Name: "sip", Port: 5060, fill: sip},
	{Name: "artnet", Port: 6454, fill: artnet},
	{Name: "sacn", Port: 5568, fill: sacn},
	{Name: "osc", Port: 8000, fill: osc},
	{Name: "mavlink", Port: 14550, fill: mavlink},
	{Name: "bacnet", Port: 47808, fill: bacnet},
	{Name: "statsd", Port: 8125, fill: statsd},
}

// labels writes a name as labels, RFC 1035, section 3.1.
func labels(parts ...string) (b []byte) {
	for _, p := range parts {
		b = append(append(b, byte(len(p))), p...)
	}
	return append(b, 0)
}

// dns: RFC 1035, section 4.1.
func dns(f *flow) {
	id, name := uint16(f.Uint32()), labels(f.word(), "example", "com")
	f.ask(id, uint16(0x0100), uint16(1), uint16(0), uint16(0), uint16(0), name, uint16(1), uint16(1))
	f.answer(id, uint16(0x8180), uint16(1), uint16(1), uint16(0), uint16(0), name, uint16(1), uint16(1),
		uint16(0xc00c), uint16(1), uint16(1), uint32(300), uint16(4), f.bytes(4))
}

// mdns: RFC 6762, section 18.
func mdns(f *flow) {
	name := labels("_"+f.word(), "_tcp", "local")
	f.ask(uint16(0), uint16(0), uint16(1), uint16(0), uint16(0), uint16(0), name, uint16(12), uint16(0x8001))
	f.answer(uint16(0), uint16(0x8400), uint16(0), uint16(1), uint16(0), uint16(0), name, uint16(12), uint16(1),
		uint32(4500), uint16(2), uint16(0xc00c))
}

// ssdp: UPnP device architecture 1.1, section 1.
func ssdp(f *flow) {
	f.ask("M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: \"ssdp:discover\"\r\nMX: 2\r\nST: ssdp:all\r\n\r\n")
	f.answer("HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=1800\r\nEXT:\r\nST: upnp:rootdevice\r\nUSN: uuid:",
		f.word(), "\r\n\r\n")
}

// dht: BEP 5.
func dht(f *flow) {
	id := string(f.bytes(2))
	f.ask("d1:ad2:id20:", f.bytes(20), "9:info_hash20:", f.bytes(20), "e1:q9:get_peers1:t2:", id, "1:y1:qe")
	f.answer("d1:rd2:id20:", f.bytes(20), "5:nodes26:", f.bytes(26), "5:token4:", f.bytes(4), "e1:t2:", id, "1:y1:re")
}

// dhcp: RFC 2131, section 2.
func dhcp(f *flow) {
	id, mac := f.Uint32(), f.bytes(6)
	tail := big(zeros(16), mac, zeros(10), zeros(64), zeros(128), uint32(0x63825363))
	f.ask(1, 1, 6, 0, id, uint16(0), uint16(0x8000), tail, 53, 1, 1, 55, 3, 1, 3, 6, 255)
	f.answer(2, 1, 6, 0, id, uint16(0), uint16(0x8000), tail, 53, 1, 2, 51, 4, uint32(3600), 255)
}

// ntp: RFC 5905, section 7.3.
func ntp(f *flow) {
	at := uint64(0xe9000000)<<32 | f.Uint64()>>32
	f.ask(0x23, 0, 6, 0xec, zeros(36), at)
	f.answer(0x24, 2, 6, 0xe9, uint32(0x1234), uint32(0x345), f.bytes(4), at-1e9, at, at+1e6, at+2e6)
}

// snmp: RFC 3416, section 3, in the basic encoding rules.
func snmp(f *flow) {
	id := f.bytes(4)
	id[0] &= 0x7f
	oid := []byte{0x2b, 6, 1, 2, 1, 1, 1, 0}
	message := func(pdu int, value []byte) []byte {
		bind := big(0x30, 2+len(oid)+len(value), 6, len(oid), oid, value)
		body := big(2, 4, id, 2, 1, 0, 2, 1, 0, 0x30, len(bind), bind)
		return big(0x30, 3+8+2+len(body), 2, 1, 1, 4, 6, "public", pdu, len(body), body)
	}
	f.ask(message(0xa0, []byte{5, 0}))
	f.answer(message(0xa2, big(4, 6, "router")))
}

// syslog: RFC 5424, section 6.
func syslog(f *flow) {
	f.ask(fmt.Sprintf("<%d>1 2026-11-22T11:%02d:00Z %s app %d ID47 - connect from %s", f.IntN(192), f.IntN(60), f.word(),
		f.IntN(30000), f.word()))
}

// tftp: RFC 1350, section 5.
func tftp(f *flow) {
	if f.first() {
		f.ask(uint16(1), f.word(), ".bin\x00octet\x00")
	}
	block := uint16(f.count(true))
	f.answer(uint16(3), block, f.bytes(512))
	f.ask(uint16(4), block)
}

// coap: RFC 7252, section 3.
func coap(f *flow) {
	id, token := uint16(f.Uint32()), f.bytes(4)
	f.ask(0x44, 1, id, token, 0xb0|11, ".well-known", 0x04, "core")
	f.answer(0x64, 0x45, id, token, 0xc1, 40, 0xff, "</sensors/temp>;if=\"sensor\"")
}

// radius: RFC 2865, section 3.
func radius(f *flow) {
	id := byte(f.round)
	user := f.word()
	f.ask(1, id, uint16(20+2+len(user)+18), f.bytes(16), 1, 2+len(user), user, 2, 18, f.bytes(16))
	f.answer(2, id, uint16(20+6), f.bytes(16), 6, 6, uint32(2))
}

// netflow: version 5 export datagrams, as Cisco's NetFlow services describe them.
func netflow(f *flow) {
	n := 1 + f.IntN(20)
	f.ask(uint16(5), uint16(n), uint32(f.round*1000), uint32(1_790_000_000+f.round), f.Uint32(), f.count(false),
		uint32(0), f.bytes(48*n))
}

// sflow: version 5, sflow.org, with a sample that is not looked into.
func sflow(f *flow) {
	sample := f.bytes(4 * (8 + f.IntN(60)))
	f.ask(uint32(5), uint32(1), f.bytes(4), uint32(0), f.count(false), uint32(f.round*997), uint32(1), uint32(1),
		uint32(len(sample)), sample)
}

// sip: RFC 3261, section 7.
func sip(f *flow) {
	call := f.word()
	f.ask("OPTIONS sip:", f.word(), "@192.0.2.1 SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK", call,
		"\r\nCall-ID: ", call, "\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n")
	f.answer("SIP/2.0 200 OK\r\nCall-ID: ", call, "\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n")
}

// artnet: Art-Net 4, ArtDmx.
func artnet(f *flow) {
	f.ask("Art-Net\x00", little(uint16(0x5000)), uint16(14), byte(f.round), 0, little(uint16(1)),
		uint16(512), f.bytes(512))
}

// sacn: ANSI E1.31, a data packet.
func sacn(f *flow) {
	f.ask(uint16(0x10), uint16(0), "ASC-E1.17\x00\x00\x00", uint16(0x726e), uint32(4), f.bytes(16),
		uint16(0x7258), uint32(2),
		"console", zeros(57), 100, uint16(0), byte(f.round), 0, uint16(1), uint16(0x720b), 2, 0xa1, uint16(0), uint16(1),
		uint16(513), 0, f.bytes(512))
}

// osc: Open Sound Control 1.0.
func osc(f *flow) {
	f.ask("/synth/freq\x00", ",fi\x00", f.Uint32()>>2, uint32(f.round))
}

// mavlink: MAVLink 2, a heartbeat and an attitude; the checksum is not computed.
func mavlink(f *flow) {
	sequence := byte(f.count(false))
	f.ask(0xfd, 9, 0, 0, sequence, 1, 1, uint24(0), uint32(0), 2, 3, 0x51, 4, 3, f.bytes(2))
	f.ask(0xfd, 28, 0, 0, byte(f.count(false)), 1, 1, uint24(30), little(uint32(f.round*100)), f.bytes(24), f.bytes(2))
}

// bacnet: ASHRAE 135, annex J, who-is and i-am.
func bacnet(f *flow) {
	f.ask(0x81, 0x0b, uint16(12), 1, 0x20, 0xff, 0xff, 0, 0xff, 0x10, 8)
	f.answer(0x81, 0x0a, uint16(20), 1, 0, 0x10, 0, 0xc4, 2, f.bytes(3), 0x22, 5, 0xc4, 0x91, 0, 0x21)
}

// statsd: lines of counters.
func statsd(f *flow) {
	f.ask(f.word(), ".requests:", fmt.Sprint(f.IntN(100)), "|c\n", f.word(), ".time:", fmt.Sprint(f.IntN(1000)), "|ms\n")
}

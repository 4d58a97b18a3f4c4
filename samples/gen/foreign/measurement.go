package foreign

import "slices"

// measurement is traffic that sets clocks and measures networks.
var measurement = []Kind{
	{Name: "ptp event", Port: 319, fill: ptpEvent},
	{Name: "ptp general", Port: 320, fill: ptpGeneral},
	{Name: "ptp 1 event", Port: 319, fill: ptp1(0, 1)},
	{Name: "ptp 1 general", Port: 320, fill: ptp1(2, 3)},
	{Name: "ip sla control", Port: 1967, fill: slaControl},
	{Name: "ip sla jitter", Port: 4243, fill: slaJitter},
	{Name: "ip sla echo", Port: 4244, fill: slaEcho},
}

// Message types of PTP version 2, IEEE 1588-2008, table 19, and the control field of each, table 23.
const (
	ptpSync      = 0x0
	ptpDelayReq  = 0x1
	ptpFollowUp  = 0x8
	ptpDelayResp = 0x9
	ptpAnnounce  = 0xb
)

var ptpControls = map[byte]byte{ptpSync: 0, ptpDelayReq: 1, ptpFollowUp: 2, ptpDelayResp: 3, ptpAnnounce: 5}

// ptp2 makes a message of PTP version 2 in one of the domains 0 to 3: IEEE 1588-2008, section 13.3. Of every
// second message a transparent clock on the path has added its delay to the correction, in 2^-16 ns.
func (f *flow) ptp2(kind byte, n uint32, body ...any) []byte {
	flags, correction := uint16(0), uint64(0)
	if kind == ptpSync {
		flags = 0x0200 // a Follow_Up has the time
	}
	if f.round%2 == 1 {
		correction = uint64(f.IntN(1<<20))<<16 | uint64(f.IntN(1<<16))
	}
	clock := big(f.secret[0]) // EUI-64
	rest := big(body...)
	return big(kind, 2, uint16(34+len(rest)), byte(f.seed%4), 0, flags, correction, uint32(0), clock, uint16(1), uint16(n),
		ptpControls[kind], byte(0xff), rest)
}

// ptpTime makes a time of PTP version 2: seconds of 48 bits, and nanoseconds.
func (f *flow) ptpTime() []byte {
	return big(uint16(0), uint32(1700000000+f.round), uint32(f.IntN(1e9)))
}

// ptpEvent: Sync and Delay_Req, whose times are measured.
func ptpEvent(f *flow) {
	f.first()
	f.answer(f.ptp2(ptpSync, f.count(true), f.ptpTime()))
	f.ask(f.ptp2(ptpDelayReq, f.count(false), zeros(10)))
}

// ptpGeneral: Announce, Follow_Up and Delay_Resp.
func ptpGeneral(f *flow) {
	f.first()
	if f.round%8 == 1 {
		f.answer(f.ptp2(ptpAnnounce, uint32(f.round/8), zeros(10), uint16(37), 0, 128, 6, 0x21, uint16(0x4e5d), 128,
			f.secret[0], uint16(0), 0x20))
	}
	n := f.count(true)
	f.answer(f.ptp2(ptpFollowUp, n, f.ptpTime()))
	f.answer(f.ptp2(ptpDelayResp, n, f.ptpTime(), f.secret[1], uint16(1)))
}

// ptp1 makes messages of PTP version 1 in one of its four domains: IEEE 1588-2002, section 8.
func ptp1(answer, ask byte) func(f *flow) {
	domains := [...]string{"_DFLT", "_ALT1", "_ALT2", "_ALT3"}
	sizes := map[byte]int{0: 124, 1: 124, 2: 52, 3: 60}
	return func(f *flow) {
		f.first()
		message := func(control byte, n uint32) []byte {
			domain := domains[f.seed%4]
			kind := byte(1) // event
			if control > 1 {
				kind = 2 // general
			}
			head := big(uint16(1), uint16(1), domain, zeros(16-len(domain)), kind, 1, big(f.secret[0])[:6], uint16(1),
				uint16(n), control, 0, uint16(8),
				uint32(1700000000+f.round), uint32(f.IntN(1e9)))
			return slices.Concat(head, zeros(sizes[control]-len(head)))
		}
		f.answer(message(answer, f.count(true)))
		f.ask(message(ask, f.count(false)))
	}
}

// slaControl: Cisco's IP SLA asks a responder to listen, https://wiki.wireshark.org/Cisco-IPSLA.
func slaControl(f *flow) {
	n := byte(f.round)
	f.ask(1, n, 0, 0x34, zeros(5), 4, 0, 0x10, zeros(4), f.bytes(4), uint16(4243+f.round), 0x14, 0x50,
		0, 1, 0, 0x1c, zeros(25))
	f.answer(1, n, 0, 8, zeros(8))
}

// slaMilliseconds returns a time of day in milliseconds, four hours and a half or more into the day. Before 9:19 its
// highest byte is 1.
func (f *flow) slaMilliseconds() uint32 {
	return uint32((16_500_000+f.seed*4_100_000)%86_400_000) + uint32(f.round*20)
}

// slaJitter: the probes of udp-jitter with milliseconds: type 2, flags, the times of sender and responder, and the
// numbers of both, see the page above. The numbers pass through all that two bytes can hold.
func slaJitter(f *flow) {
	n, sent := uint16(f.round*2621), f.slaMilliseconds()
	f.ask(uint16(2), uint16(0), sent, uint32(0), n, uint16(0), zeros(16))
	f.answer(uint16(2), uint16(f.IntN(7)&^1), sent, sent+uint32(f.IntN(40)), n, n, zeros(16))
}

// slaEcho: the probes of udp-echo: type 1 and the same times, filled up with a pattern.
func slaEcho(f *flow) {
	sent := f.slaMilliseconds()
	pattern := big(uint32(0xabcdabcd), uint32(0xabcdabcd))
	f.ask(uint16(1), uint16(0), sent, uint32(0), pattern)
	f.answer(uint16(1), uint16(0), sent, sent+uint32(f.IntN(40)), pattern)
}

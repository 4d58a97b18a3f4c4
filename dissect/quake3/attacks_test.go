package quake3

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/q3dissect/q3dissect/dissect"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/router"
	"github.com/q3dissect/q3dissect/dissect/quake3/internal/tables"
	"github.com/q3dissect/q3dissect/huffcodec"
)

// attackCodes are the codes of a record's entries about attacks.
func attackCodes(rec *dissect.Record) (codes []string) {
	for _, e := range rec.Experts {
		if strings.HasPrefix(e.Code, "attack_") && e.Severity == dissect.Warning {
			codes = append(codes, e.Code)
		}
	}
	return codes
}

// clientCommand is a client message with a reliable command.
func clientCommand(messageAck, commandAck int32, text string) []byte {
	var w huffcodec.Writer
	w.Bits(7, 32)
	w.Bits(uint32(messageAck), 32)
	w.Bits(uint32(commandAck), 32)
	w.Bits(tables.ClcClientCommand, 8)
	w.Bits(1, 32)
	w.String(text)
	w.Bits(tables.ClcEOF, 8)
	return w.Data()
}

// serverCommand is a server message with a reliable command.
func serverCommand(text string) []byte {
	var w huffcodec.Writer
	w.Bits(0, 32)
	w.Bits(tables.SvcServerCommand, 8)
	w.Bits(43, 32)
	w.String(text)
	w.Bits(tables.SvcEOF, 8)
	return w.Data()
}

// gamestateWith is a gamestate with one configstring.
func gamestateWith(index uint32, text string) []byte {
	var w huffcodec.Writer
	w.Bits(0, 32)
	w.Bits(tables.SvcGamestate, 8)
	w.Bits(42, 32)
	w.Bits(tables.SvcConfigstring, 8)
	w.Bits(index, 16)
	w.String(text)
	w.Bits(tables.SvcEOF, 8)
	w.Bits(0, 32)
	w.Bits(0, 32)
	w.Bits(tables.SvcEOF, 8)
	return w.Data()
}

// TestAttacks: each attack, made from its description in docs/attacks.md, gives its entry, and what is just within the
// limits gives none.
func TestAttacks(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 2000)
	connect := func(info string) string {
		return outOfBand("connect ") + string(huffcodec.EncodeAdaptive(nil, []byte(info)))
	}
	for _, tt := range []struct {
		name       string
		fromClient bool
		oob        string
		body       []byte
		want       []string
	}{
		{"query", true, outOfBand("getstatus " + long[:129]), nil, []string{"attack_overlong_query"}},
		{"getinfo", true, outOfBand("getinfo " + long[:500]), nil, []string{"attack_overlong_query"}},
		{"longest query", true, outOfBand("getstatus " + long[:128]), nil, nil},
		{
			"userinfo", true, connect(`"\protocol\71\challenge\1\qport\1\name\` + long[:1000] + `"`), nil,
			[]string{"attack_oversized_userinfo"},
		},
		{"longest userinfo", true, connect(`"\protocol\71\challenge\1\qport\1\name\` + long[:980] + `"`), nil, nil},
		{
			"semicolon", true, connect(`"\protocol\71\challenge\1\qport\1\name\x;quit"`), nil,
			[]string{"attack_userinfo_injection"},
		},
		{
			"quote", true, connect(`"\protocol\71\challenge\1\qport\1\name\x" quit "\a\b"`), nil,
			[]string{"attack_userinfo_injection"},
		},
		{"echo", false, outOfBand("echo \"rcon secret quit\""), nil, []string{"attack_echo"}},
		{"print", false, outOfBand("print\nhello"), nil, nil},

		{"download", true, "", clientCommand(1, 42, "download ../../../../etc/passwd.pk3"), []string{"attack_download_name"}},
		{"root", true, "", clientCommand(1, 42, "download /etc/passwd"), []string{"attack_download_name"}},
		{"backslash", true, "", clientCommand(1, 42, `download "baseq3\..\q3config.cfg"`), []string{"attack_download_name"}},
		{"real download", true, "", clientCommand(1, 42, "download baseq3/pak9.pk3"), nil},
		{"acknowledge", true, "", clientCommand(1, 0x7fffffff, "say x"), []string{"attack_acknowledge"}},
		{"message", true, "", clientCommand(-5, 42, "say x"), []string{"attack_acknowledge"}},
		{"format", true, "", clientCommand(1, 42, "say %s%s%n"), []string{"attack_format_characters"}},
		{"width", true, "", clientCommand(1, 42, "say %08x.%1$n"), []string{"attack_format_characters"}},
		{"percent", true, "", clientCommand(1, 42, "say 100% sure, 50%n"), nil},
		{"name", true, "", clientCommand(1, 42, `userinfo "\name\%n%n"`), []string{"attack_format_characters"}},
		{"userinfo quote", true, "", clientCommand(1, 42, `userinfo "\name\x" "quit"`), []string{"attack_userinfo_injection"}},
		{"user", true, "", clientCommand(1, 42, `userinfo "\name\x\rate\25000"`), nil},
		{"chat", true, "", clientCommand(1, 42, "say "+long[:1019]), []string{"attack_long_command"}},
		{"longest chat", true, "", clientCommand(1, 42, "say "+long[:1018]), nil},

		{"shader", false, "", serverCommand("remapShader a " + long[:64] + " 0"), []string{"attack_remap_shader"}},
		{"real shader", false, "", serverCommand("remapShader a " + long[:63] + " 0"), nil},
		{"command", false, "", serverCommand("print \"" + long[:1015] + "\""), []string{"attack_long_command"}},
		{
			"pak", false, "", gamestateWith(1, `\sv_pure\1\sv_referencedPakNames\baseq3/pak0 ../../q3config`),
			[]string{"attack_file_name"},
		},
		{"folder", false, "", gamestateWith(1, `\fs_game\../x`), []string{"attack_file_name"}},
		{"cvar", false, "", gamestateWith(1, `\sv_pure\1\fs_homepath\/tmp`), []string{"attack_system_cvar"}},
		{
			"change", false, "", serverCommand(`cs 1 "\cl_allowDownload\1\activeAction\vstr x"`),
			[]string{"attack_system_cvar", "attack_system_cvar"},
		},
		{"system", false, "", gamestateWith(1, `\sv_pure\1\sv_paks\123\sv_referencedPakNames\baseq3/pak0 mod/a.b\fs_game\mod`), nil},
		{"configstring", false, "", gamestateWith(30, strings.Repeat(long, 5)[:8192]), []string{"attack_configstring_overflow"}},
		{"longest configstring", false, "", gamestateWith(30, strings.Repeat(long, 5)[:8191]), nil},
	} {
		direction, payload := dissect.ServerToClient, []byte(tt.oob)
		if tt.fromClient {
			direction = dissect.ClientToServer
		}
		if tt.body != nil {
			payload = datagram(nativeHeader(8, tt.fromClient), tt.body)
		}
		for _, outline := range []bool{false, true} {
			rec := deliverable(direction, payload)
			rec.Final, rec.Outline = true, outline
			nativeSession(dissect.Options{}).Dissect(rec)
			if got := attackCodes(rec); !slices.Equal(got, tt.want) {
				t.Errorf("%s, outline %t: %q, want %q; %+v", tt.name, outline, got, tt.want, rec.Experts)
			}
		}
	}
}

// TestAttackWithFragments: a client's fragment beyond the engine's memory.
func TestAttackWithFragments(t *testing.T) {
	t.Parallel()
	for start, want := range map[uint16][]string{0xf000: {"attack_fragment_overflow"}, 1300: nil} {
		h := append(nativeHeader(8, true), byte(start), byte(start>>8), 100, 0)
		h[3] |= 1 << 7 // a fragment
		rec := deliver(nativeSession(dissect.Options{}), dissect.ClientToServer, append(h, make([]byte, 100)...))
		if got := attackCodes(rec); !slices.Equal(got, want) {
			t.Errorf("fragment at %d: %q, want %q; %+v", start, got, want, rec.Experts)
		}
	}
}

// TestRconFlood: more commands for remote control than a server reads, and as many as it does.
func TestRconFlood(t *testing.T) {
	t.Parallel()
	c := newConversation(dissect.Options{})
	var got []int
	for i, at := range []int64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 500, 1100, 1200} {
		rec := dissect.NewRecord()
		payload := []byte(outOfBand("rcon guess status"))
		rec.Packet = dissect.Packet{UDP: true, HasTime: true, Time: at * 1e6, Payload: payload, Length: len(payload)}
		rec.Direction = dissect.ClientToServer
		c.Dissect(rec)
		if slices.Contains(attackCodes(rec), "attack_rcon_flood") {
			got = append(got, i)
		}
	}
	if diff := cmp.Diff([]int{10, 11, 13}, got); diff != "" {
		t.Errorf("floods (-want +got)\n%s", diff)
	}
}

// TestConnectFlood: somebody fills a server with players of one address, which come from many ports; a client that
// repeats its connect does not.
func TestConnectFlood(t *testing.T) {
	t.Parallel()
	r, floods := router.New((&probe{}).decodes), map[string]int{}
	send := func(src string, at int64, qport uint16) {
		payload := []byte(connectText(99, qport))
		p := dissect.Packet{
			UDP: true, HasTime: true, Time: at, Src: netip.MustParseAddrPort(src), Dst: netip.MustParseAddrPort(server),
			Payload: payload, Length: len(payload),
		}
		if router.Hint(r.Route(&p, at, false).Hint).Floods() {
			floods[p.Src.Addr().String()]++
		}
	}
	for i := range 64 {
		send(netip.AddrPortFrom(netip.MustParseAddr("203.0.113.9"), uint16(20000+i)).String(), int64(i)*10e6, uint16(i))
	}
	for i := range 100 {
		send(clientA, int64(i)*3e9, 111)
	}
	if diff := cmp.Diff(map[string]int{"203.0.113.9": 32}, floods); diff != "" {
		t.Errorf("floods (-want +got)\n%s", diff)
	}
}

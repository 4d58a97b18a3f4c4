package quake3

// The cipher of legacy sessions begins behind these bytes of the message body, SV_ENCODE_START and
// CL_ENCODE_START in code/qcommon/qcommon.h.
const (
	serverClearBytes = 4
	clientClearBytes = 12
)

// decipher undoes (or does) the cipher of a message body in place: from byte start on, each byte is
// XORed with a key that runs along a reliable command of the other side.
//
// key is the first key: the low byte of challenge ^ sequence for server messages, of challenge ^
// server id ^ message acknowledged for client messages. command is the acknowledged reliable command,
// raw, or nothing. CL_Netchan_Decode and SV_Netchan_Decode in code/client/cl_net_chan.c and
// code/server/sv_net_chan.c.
func decipher(body []byte, start int, key byte, command []byte) {
	if i := indexNUL(command); i >= 0 {
		command = command[:i]
	}
	at := 0
	for i := start; i < len(body); i++ {
		if len(command) > 0 {
			c := command[at]
			if at++; at == len(command) {
				at = 0
			}
			if c > 127 || c == '%' { // what the other side holds in its place
				c = '.'
			}
			key ^= c << (i & 1)
		}
		body[i] ^= key
	}
}

func indexNUL(s []byte) int {
	for i, c := range s {
		if c == 0 {
			return i
		}
	}
	return -1
}

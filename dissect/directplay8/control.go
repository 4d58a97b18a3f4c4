package directplay8

import "github.com/q3dissect/q3dissect/dissect"

// Fields of control frames.
var (
	controlField = dissect.Field{
		Key: "control", Kind: dissect.Object, Source: reliableSource, Doc: "control frame: connection and acknowledgements",
		Children: []*dissect.Field{
			&connectField, &connectedField, &signedField, &disconnectField,
			&sackField, &dissect.Undecoded,
		},
	}
	connectField   = controlObject("connect", "FRAME_EXOPCODE_CONNECT", "asks for a connection", connectParts...)
	connectedField = controlObject("connected", "FRAME_EXOPCODE_CONNECTED", "accepts a connection, or the acceptance",
		connectParts...)
	signedField = controlObject("connected_signed", "FRAME_EXOPCODE_CONNECTED_SIGNED",
		"accepts a signed connection, or the acceptance", append(connectParts, signedParts...)...)
	disconnectField = controlObject("hard_disconnect", "FRAME_EXOPCODE_HARD_DISCONNECT", "ends the connection",
		append(connectParts, &frameSignature, &frameSignatureOK)...)
	sackField = controlObject("sack", "FRAME_EXOPCODE_SACK", "acknowledges frames one by one", &controlPoll,
		&sackFlags, &sackRetry, &nextSend, &nextExpected, &controlTime,
		&maskFields[0], &maskFields[1], &maskFields[2], &maskFields[3], &frameSignature, &frameSignatureOK, &frameTrailing)

	connectParts = []*dissect.Field{&controlPoll, &messageID, &responseID, &protocolNumber, &sessionID, &controlTime}
	signedParts  = []*dissect.Field{&connectCookie, &senderSecret, &receiverSecret, &signingOptions, &echoTime}

	controlPoll    = dissect.Field{Key: "poll", Name: "PACKET_COMMAND_POLL", Kind: dissect.Bool, Bits: 1, Source: reliableSource, Doc: "wants an answer at once"}
	messageID      = dissect.Field{Key: "message_id", Name: "bMsgID", Kind: dissect.Uint, Bits: 8, Source: reliableSource, Doc: "number of the message, to recognise repeated ones"}
	responseID     = dissect.Field{Key: "response_id", Name: "bRspID", Kind: dissect.Uint, Bits: 8, Source: reliableSource, Doc: "number of the message that this answers"}
	protocolNumber = dissect.Field{Key: "protocol_version", Name: "dwCurrentProtocolVersion", Kind: dissect.Uint, Bits: 32, Source: reliableSource, Doc: "major version in the upper half, minor in the lower"}
	sessionID      = dissect.Field{Key: "session_id", Name: "dwSessID", Kind: dissect.Uint, Bits: 32, Source: reliableSource, Doc: "number of the connection"}
	controlTime    = dissect.Field{Key: "timestamp", Name: "tTimestamp", Kind: dissect.Uint, Bits: 32, Unit: "ms", Source: reliableSource, Doc: "clock of the sender"}
	connectCookie  = dissect.Field{Key: "cookie", Name: "ullConnectSig", Kind: dissect.Uint, Bits: 64, Source: reliableSource, Doc: "proves that the address is the connector's"}
	senderSecret   = dissect.Field{Key: "sender_secret", Name: "ullSenderSecret", Kind: dissect.Uint, Bits: 64, Source: reliableSource, Doc: "part of what the sender signs with"}
	receiverSecret = dissect.Field{Key: "receiver_secret", Name: "ullReceiverSecret", Kind: dissect.Uint, Bits: 64, Source: reliableSource, Doc: "part of what the receiver signs with"}
	signingOptions = dissect.Field{
		Key: "signing_options", Name: "dwSigningOpts", Kind: dissect.Uint, Bits: 32, Source: reliableSource,
		Doc: "how frames are signed", Enum: &dissect.Enum{Mask: true, Tables: [][]string{{"fast_signed", "full_signed"}}},
	}
	echoTime  = dissect.Field{Key: "echo_timestamp", Name: "dwEchoTimestamp", Kind: dissect.Uint, Bits: 32, Unit: "ms", Source: reliableSource, Doc: "the connector's clock, sent back"}
	sackFlags = dissect.Field{
		Key: "flags", Name: "bFlags", Kind: dissect.Uint, Bits: 8, Source: reliableSource, Doc: "what of the frame is valid",
		Enum: &dissect.Enum{Mask: true, Tables: [][]string{{
			"response", "sack_mask_low", "sack_mask_high",
			"send_mask_low", "send_mask_high",
		}}},
	}
	sackRetry    = dissect.Field{Key: "retry", Name: "bRetry", Kind: dissect.Uint, Bits: 8, Source: reliableSource, Doc: "whether the frame acknowledged was sent again, if flags say that this is valid"}
	nextSend     = dissect.Field{Key: "next_send", Name: "bNSeq", Kind: dissect.Uint, Bits: 8, Source: reliableSource, Doc: "number that the sender's next frame will have"}
	nextExpected = dissect.Field{Key: "next_expected", Name: "bNRcv", Kind: dissect.Uint, Bits: 8, Source: reliableSource, Doc: "number of the frame that the sender expects next"}
	// The masks are in this order on the wire.
	maskFields = [4]dissect.Field{
		{Key: "sack_mask_low", Name: "dwSACKMask1", Kind: dissect.Uint, Bits: 32, Source: reliableSource, Doc: "bit k: frame next_expected + 1 + k arrived"},
		{Key: "sack_mask_high", Name: "dwSACKMask2", Kind: dissect.Uint, Bits: 32, Source: reliableSource, Doc: "bit k: frame next_expected + 33 + k arrived"},
		{Key: "send_mask_low", Name: "dwSendMask1", Kind: dissect.Uint, Bits: 32, Source: reliableSource, Doc: "bit k: the unreliable frame sequence - 1 - k is lost and will not come"},
		{Key: "send_mask_high", Name: "dwSendMask2", Kind: dissect.Uint, Bits: 32, Source: reliableSource, Doc: "bit k: the unreliable frame sequence - 33 - k is lost and will not come"},
	}
	frameSignature = dissect.Field{Key: "signature", Name: "ullSignature", Kind: dissect.Uint, Bits: 64, Source: reliableSource, Doc: "of a signed connection"}
	frameTrailing  = dissect.Field{Key: "trailing", Kind: dissect.Hex, Doc: "bytes after the end of the frame"}
)

func controlObject(key, name, doc string, parts ...*dissect.Field) dissect.Field {
	children := append(append([]*dissect.Field{}, parts...), &dissect.Undecoded)
	return dissect.Field{
		Key: key, Name: name, Kind: dissect.Object, Source: reliableSource, Doc: doc, Children: children, Frame: controlFrame,
	}
}

// Codes of control frames.
const (
	opConnect     = 1
	opConnected   = 2
	opSigned      = 3
	opDisconnect  = 4
	opSack        = 6
	controlBytes  = 16 // of all but SACK and CONNECTED_SIGNED
	sackBytes     = 12
	signedBytes   = 48
	signatureSize = 8
)

// control reads a control frame and records what the connection's other frames are read with.
func (d *connection) control(rec *dissect.Record, r *reader) {
	r.Enter(&controlField)
	defer r.Leave()
	head := r.Take(&controlField, 2)
	if head == nil {
		return
	}
	poll := head[0]&commandPoll != 0
	open := func(f *dissect.Field) {
		r.EnterAt(f, 0)
		r.Tree.AddBool(&controlPoll, poll, 4, 1)
		r.frameHead(head)
	}
	switch head[1] {
	case opConnect:
		open(&connectField)
		d.handshake(r)
	case opConnected:
		open(&connectedField)
		d.handshake(r)
	case opSigned:
		open(&signedField)
		d.handshake(r)
		var parts [5]uint64
		for i, f := range signedParts {
			parts[i] = r.Number(f)
		}
		if !r.Failed() {
			d.signing.agree(sideOf(rec), parts[1], parts[2], parts[3])
		}
	case opDisconnect:
		open(&disconnectField)
		response, session := d.handshake(r)
		d.controlSignature(rec, r, response)
		if !r.Failed() && (d.minor == minorUnknown || d.session == session) {
			d.end(endHard)
		}
	case opSack:
		open(&sackField)
		next, expected := r.sack()
		if !r.Failed() {
			d.sides[sideOf(rec)].acknowledge(expected, rec.Payload)
		}
		d.controlSignature(rec, r, next)
		if !r.Failed() && r.Rest() > 0 {
			r.Hex(&frameTrailing, r.Rest())
		}
	default:
		r.Malformed(&controlField, 1, "0x%02x is no control frame", head[1])
		return
	}
	r.Leave()
}

// controlSignature reads the signature after a control frame, if there is one. sequence is the number that the
// sender's next frame will have.
func (d *connection) controlSignature(rec *dissect.Record, r *reader, sequence uint8) {
	if r.Rest() != signatureSize {
		return
	}
	at, side := r.At, sideOf(rec)
	r.Number(&frameSignature)
	d.verify(rec, r, at, side, d.sides[side].numbers.extend(sequence))
}

// handshake reads the common beginning of all handshake frames. It returns the number of the
// message that the frame answers, and that of the connection. In a frame that ends the connection, that is the number
// that the sender's next frame would have.
func (d *connection) handshake(r *reader) (response uint8, session uint32) {
	r.Number(&messageID)
	response = uint8(r.Number(&responseID))
	version := r.Number(&protocolNumber)
	session = uint32(r.Number(&sessionID))
	r.Number(&controlTime)
	if !r.Failed() && version>>16 == 1 && !d.carries {
		d.begin(session, int(version&0xffff))
	}
	return response, session
}

// sack reads a selective acknowledgement and returns the number that the sender's next frame will have, and that of the
// frame that it expects next.
func (r *reader) sack() (next, expected uint8) {
	flags := r.Number(&sackFlags)
	r.Number(&sackRetry)
	next = uint8(r.Number(&nextSend))
	expected = uint8(r.Number(&nextExpected))
	zero := r.At
	if b := r.Take(&sackField, 2); b != nil && r.Tree.Framed() {
		r.Tree.AddBytes(&frameZero, b, zero<<3, 16)
	}
	r.Number(&controlTime)
	for i := range maskFields {
		if flags>>(i+1)&1 != 0 {
			r.Number(&maskFields[i])
		}
	}
	return next, expected
}

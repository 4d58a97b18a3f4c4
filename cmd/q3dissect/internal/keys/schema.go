package keys

// Schema is the JSON Schema of the lines of keys --json.
const Schema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "how the key of a session is known",
  "type": "object",
  "additionalProperties": false,
  "required": ["protocol", "server", "known", "proven"],
  "properties": {
    "file": {"type": "string", "description": "where several were read"},
    "protocol": {"type": "string"},
    "stream": {"type": "integer", "description": "number of the conversation, as in the records"},
    "session": {"type": "integer", "description": "number of the session within the stream"},
    "server": {"type": "string", "description": "address and port"},
    "client": {"type": "string", "description": "address and port"},
    "encoding": {"type": "string"},
    "version": {"type": "integer", "description": "protocol whose tables read the messages, of a game made from Quake III; absent where the handshake says it"},
    "known": {"enum": ["handshake", "checksum", "recovered", "given", "unknown"]},
    "first_frame": {"type": "integer", "description": "first sequenced packet of the session"},
    "since_frame": {"type": "integer", "description": "first message that the key deciphers"},
    "challenge": {"type": "integer"},
    "challenge_low_byte": {"type": "boolean", "description": "only the low byte is known, which is all that the cipher uses"},
    "proven": {"type": "boolean", "description": "no other challenge is possible"},
    "messages": {"type": "integer", "description": "enciphered messages of the session"},
    "verified": {"type": "integer", "description": "of them, deciphered to their end"},
    "margin_bits": {"type": "integer", "description": "evidence for the challenge over any other, in bits"},
    "gave_up": {"type": "boolean", "description": "the search was stopped for its cost"},
    "help": {"type": "string", "description": "what would help to know more"},
    "checksum_feeds": {"type": "array", "description": "what user commands are keyed with, where no message says it", "items": {
      "type": "object",
      "additionalProperties": false,
      "required": ["server_id", "low_16_bits"],
      "properties": {
        "server_id": {"type": "integer"},
        "low_16_bits": {"type": "integer", "description": "all of the feed that is used"},
        "verified": {"type": "integer", "description": "turns of the player that agree with it"}
      }
    }},
    "commands": {"type": "array", "items": {
      "type": "object",
      "additionalProperties": false,
      "required": ["from", "number", "text", "whole", "read"],
      "properties": {
        "from": {"enum": ["server", "client"]},
        "number": {"type": "integer"},
        "text": {"type": "string", "description": "where read is false, '.' stands for '%' and characters above 127"},
        "text_raw": {"type": "string", "description": "hex, where the text is not valid UTF-8"},
        "whole": {"type": "boolean", "description": "false: only the beginning is known"},
        "read": {"type": "boolean", "description": "a deciphered message has it; false: recovered from the messages enciphered with it"},
        "verified": {"type": "integer", "description": "messages that it deciphers to their end"},
        "evidence_bits": {"type": "integer"}
      }
    }}
  }
}
`

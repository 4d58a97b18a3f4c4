# Two ends of a Godot 3 multiplayer session over ENet with the library's range coder: the traffic of the sample
# enet-godot3.pcap. Run it twice:
#
#     godot3-server -s talk.gd --listen
#     godot3-server -s talk.gd
extends SceneTree

const PORT = 47811
var peer
var listening = false
var rounds = 0
var said = 0
var friend = 0
var started = false

func _init():
	listening = "--listen" in OS.get_cmdline_args()
	peer = NetworkedMultiplayerENet.new()
	peer.compression_mode = NetworkedMultiplayerENet.COMPRESS_RANGE_CODER
	if listening:
		peer.set_bind_ip("127.0.0.1")
		peer.create_server(PORT, 4)
	else:
		peer.create_client("127.0.0.1", PORT)
	peer.connect("peer_connected", self, "_joined")
	peer.connect("peer_disconnected", self, "_left")

func _joined(id):
	print("joined ", "a client" if id != 1 else "the server")
	friend = id

func _left(_id):
	print("left")
	quit()

func say(channel_mode, bytes):
	peer.transfer_mode = channel_mode
	peer.set_target_peer(friend)
	peer.put_packet(bytes)

func text(words):
	return (words).to_utf8()

func _iteration(_delta):
	peer.poll()
	while peer.get_available_packet_count() > 0:
		peer.get_packet()
	if friend == 0:
		return false
	rounds += 1
	if rounds % 3 != 0 or said >= 40:
		if rounds > 220 and not listening:
			peer.close_connection()
			quit()
		return false
	said += 1
	var who = "the listener" if listening else "the caller"
	match said % 4:
		0:
			say(NetworkedMultiplayerPeer.TRANSFER_MODE_RELIABLE, text("%s says line %d, which repeats: %s" % [who, said, "la ".repeat(said)]))
		1:
			say(NetworkedMultiplayerPeer.TRANSFER_MODE_UNRELIABLE, text("position %d %d %d" % [said * 3, said * 5, said * 7]))
		2:
			say(NetworkedMultiplayerPeer.TRANSFER_MODE_UNRELIABLE_ORDERED, var2bytes({"x": said, "y": -said, "name": who, "list": range(said)}))
		3:
			var b = PoolByteArray()
			for i in range(said * 97):
				b.append((i * i + said) % 251 if said % 8 == 3 else i / 16 % 256)
			say(NetworkedMultiplayerPeer.TRANSFER_MODE_RELIABLE, b)
	return false

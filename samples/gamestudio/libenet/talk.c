/*
 * Two ends of an ENet connection in one process, over loopback: the traffic of the samples libenet-*.pcap, made by
 * the library itself. Build and record:
 *
 *     cc -o talk talk.c -lenet
 *     tcpdump -i lo -w libenet-plain.pcap udp port 47801 &
 *     ./talk 47801            # or: ./talk 47801 checksum, ./talk 47801 compress, ./talk 47801 compress+checksum
 *
 * Everything that is sent stands below; the tests know it.
 */
#include <enet/enet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ENetHost *server, *client;
static ENetPeer *at_server, *at_client;

/* serve runs both hosts for some rounds. */
static void serve(int rounds)
{
	ENetEvent event;
	for (int i = 0; i < rounds; i++) {
		while (enet_host_service(server, &event, 2) > 0) {
			if (event.type == ENET_EVENT_TYPE_CONNECT)
				at_server = event.peer;
			if (event.type == ENET_EVENT_TYPE_RECEIVE)
				enet_packet_destroy(event.packet);
		}
		while (enet_host_service(client, &event, 2) > 0)
			if (event.type == ENET_EVENT_TYPE_RECEIVE)
				enet_packet_destroy(event.packet);
	}
}

static void say(ENetPeer *peer, int channel, const char *text, unsigned flags)
{
	enet_peer_send(peer, channel, enet_packet_create(text, strlen(text), flags));
}

/* pour sends a message of so many bytes, byte i being i * 7. */
static void pour(ENetPeer *peer, int channel, int size, unsigned flags)
{
	unsigned char *b = malloc(size);
	for (int i = 0; i < size; i++)
		b[i] = i * 7;
	enet_peer_send(peer, channel, enet_packet_create(b, size, flags));
	free(b);
}

int main(int argc, char **argv)
{
	ENetAddress address;
	if (argc < 2 || enet_initialize() != 0)
		return 1;
	enet_address_set_host(&address, "127.0.0.1");
	address.port = atoi(argv[1]);
	server = enet_host_create(&address, 4, 2, 0, 0);
	client = enet_host_create(NULL, 1, 2, 0, 0);
	if (!server || !client)
		return 1;
	if (argc > 2 && strstr(argv[2], "checksum"))
		server->checksum = client->checksum = enet_crc32;
	if (argc > 2 && strstr(argv[2], "compress")) {
		enet_host_compress_with_range_coder(server);
		enet_host_compress_with_range_coder(client);
	}
	at_client = enet_host_connect(client, &address, 2, 7);
	serve(10);
	if (!at_server)
		return 1;
	say(at_client, 0, "hello over the first channel", ENET_PACKET_FLAG_RELIABLE);
	say(at_client, 1, "once, perhaps", 0);
	say(at_client, 1, "whenever", ENET_PACKET_FLAG_UNSEQUENCED);
	serve(5);
	say(at_server, 0, "an answer", ENET_PACKET_FLAG_RELIABLE);
	say(at_server, 0, "and another one", ENET_PACKET_FLAG_RELIABLE);
	serve(5);
	pour(at_client, 0, 3000, ENET_PACKET_FLAG_RELIABLE);
	serve(5);
	pour(at_server, 1, 3000, ENET_PACKET_FLAG_UNRELIABLE_FRAGMENT);
	serve(5);
	enet_peer_throttle_configure(at_server, 1000, 3, 4);
	enet_host_bandwidth_limit(client, 20000, 10000);
	enet_peer_ping(at_client);
	serve(10);
	enet_peer_disconnect(at_client, 99);
	serve(10);
	enet_host_destroy(client);
	enet_host_destroy(server);
	enet_deinitialize();
	return 0;
}

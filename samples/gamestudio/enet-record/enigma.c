/*
 * Two ends of a connection of ENet 1.0 in one process, over loopback: the traffic of the sample enet-enigma. The library
 * is the one that the game Enigma has built in, which Debian 12 still ships as enigma 1.20-dfsg.1-2.2. It is called in
 * the game's own program, into which this is preloaded, before the game begins. The addresses are those of that build
 * for amd64.
 *
 *     apt-get install enigma tcpdump
 *     cc -shared -fPIC -o enigma.so enigma.c
 *     unshare -n sh -c 'ip link set lo up; tcpdump -i lo -U -w enet-enigma.pcap udp port 47821 & sleep 1
 *         env LD_PRELOAD=./enigma.so ENET_PORT=47821 /usr/games/enigma; sleep 1; kill $!'
 *
 * Everything that is sent stands below; the tests know it. What the library hands the program is written to standard
 * output.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct { uint32_t host; uint16_t port; } Address;
typedef struct { size_t references; uint32_t flags; unsigned char *data; size_t size; } Packet;
typedef struct { int type; void *peer; uint8_t channel; Packet *packet; } Event;
enum { CONNECTED = 1, DISCONNECTED, RECEIVED };
enum { RELIABLE = 1, UNSEQUENCED = 2 };

static uintptr_t base;

static int find(struct dl_phdr_info *info, size_t size, void *unused)
{
	base = info->dlpi_addr;
	return 1; /* the first one is the program */
}

#define AT(type, address) ((type)(base + (address)))
#define host_create AT(void *(*)(const Address *, size_t, uint32_t, uint32_t), 0x215130)
#define host_connect AT(void *(*)(void *, const Address *, size_t), 0x215360)
#define host_service AT(int (*)(void *, Event *, uint32_t), 0x2172f0)
#define packet_create AT(Packet *(*)(const void *, size_t, uint32_t), 0x215a20)
#define packet_destroy AT(void (*)(Packet *), 0x215a80)
#define peer_throttle AT(void (*)(void *, uint32_t, uint32_t, uint32_t), 0x216110)
#define peer_send AT(int (*)(void *, uint8_t, Packet *), 0x216170)
#define peer_ping AT(void (*)(void *), 0x216340)
#define peer_disconnect AT(void (*)(void *, uint32_t), 0x216410)

static void *server, *client, *at_server, *at_client;

static void hear(const char *who, Event *event)
{
	if (event->type == CONNECTED && who[0] == 's')
		at_server = event->peer;
	if (event->type != RECEIVED) {
		printf("%s %s\n", who, event->type == CONNECTED ? "connected" : "disconnected");
		return;
	}
	printf("%s got %u ", who, event->channel);
	for (size_t i = 0; i < event->packet->size; i++)
		printf("%02x", event->packet->data[i]);
	printf("\n");
	packet_destroy(event->packet);
}

/* serve runs both hosts for some rounds. */
static void serve(int rounds)
{
	Event event;
	for (int i = 0; i < rounds; i++) {
		while (host_service(server, &event, 2) > 0)
			hear("server", &event);
		while (host_service(client, &event, 2) > 0)
			hear("client", &event);
	}
}

static void say(void *peer, int channel, const char *text, unsigned flags)
{
	peer_send(peer, channel, packet_create(text, strlen(text), flags));
}

/* pour sends a message of so many bytes, byte i being i * 7. */
static void pour(void *peer, int channel, int size)
{
	unsigned char *b = malloc(size);
	for (int i = 0; i < size; i++)
		b[i] = i * 7;
	peer_send(peer, channel, packet_create(b, size, RELIABLE));
	free(b);
}

__attribute__((constructor)) static void talk(void)
{
	const char *port = getenv("ENET_PORT");
	if (!port)
		return;
	unsetenv("LD_PRELOAD");
	dl_iterate_phdr(find, NULL);
	Address address = {.host = 0x0100007f, .port = atoi(port)};
	server = host_create(&address, 4, 0, 0);
	client = host_create(NULL, 1, 7200, 1800); /* the limits that the game has */
	if (!server || !client)
		_exit(1);
	at_client = host_connect(client, &address, 2);
	serve(10);
	if (!at_server)
		_exit(1);
	say(at_client, 0, "hello over the first channel", RELIABLE);
	say(at_client, 1, "once, perhaps", 0);
	say(at_client, 1, "whenever", UNSEQUENCED);
	serve(5);
	say(at_server, 0, "an answer", RELIABLE);
	say(at_server, 0, "and another one", RELIABLE);
	say(at_server, 1, "twice, perhaps", 0);
	serve(5);
	pour(at_client, 0, 3000);
	serve(5);
	peer_throttle(at_server, 1000, 3, 4);
	peer_ping(at_client);
	serve(700);
	peer_disconnect(at_client, 99);
	serve(10);
	fflush(stdout);
	_exit(0);
}

/*
 * A witness of what an application hears over ENet. Preloaded into a program that links the library dynamically, it
 * appends a line for every packet that the library hands the application, and for every connection that begins and
 * ends, and changes nothing:
 *
 *     got SOURCE DESTINATION CHANNEL LENGTH CRC     a packet; ports in decimal, the CRC of zlib in hexadecimal
 *     connect SOURCE DESTINATION DATA               the data of the event
 *     disconnect SOURCE DESTINATION DATA
 *
 *     cc -shared -fPIC -o witness.so witness.c -ldl -lz
 *     LD_PRELOAD=./witness.so ENET_WITNESS=heard.txt a-program
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <enet/enet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <zlib.h>

/* here is the port of the host that an event belongs to. */
static unsigned here(const ENetEvent *event)
{
	struct sockaddr_storage own;
	socklen_t size = sizeof own;
	if (getsockname(event->peer->host->socket, (struct sockaddr *)&own, &size) != 0)
		return 0;
	if (own.ss_family == AF_INET6)
		return ntohs(((struct sockaddr_in6 *)&own)->sin6_port);
	return ntohs(((struct sockaddr_in *)&own)->sin_port);
}

static void tell(const ENetEvent *event)
{
	const char *name = getenv("ENET_WITNESS");
	FILE *out = name ? fopen(name, "a") : NULL;
	if (!out)
		return;
	unsigned from = event->peer->address.port, to = here(event);
	switch (event->type) {
	case ENET_EVENT_TYPE_RECEIVE:
		fprintf(out, "got %u %u %u %zu %08lx\n", from, to, event->channelID, event->packet->dataLength,
			crc32(0, event->packet->data, event->packet->dataLength));
		break;
	case ENET_EVENT_TYPE_CONNECT:
		fprintf(out, "connect %u %u %u\n", from, to, event->data);
		break;
	case ENET_EVENT_TYPE_DISCONNECT:
		fprintf(out, "disconnect %u %u %u\n", from, to, event->data);
		break;
	default:
		break;
	}
	fclose(out);
}

int enet_host_service(ENetHost *host, ENetEvent *event, enet_uint32 timeout)
{
	int (*next)(ENetHost *, ENetEvent *, enet_uint32) = dlsym(RTLD_NEXT, "enet_host_service");
	int n = next(host, event, timeout);
	if (n > 0 && event)
		tell(event);
	return n;
}

int enet_host_check_events(ENetHost *host, ENetEvent *event)
{
	int (*next)(ENetHost *, ENetEvent *) = dlsym(RTLD_NEXT, "enet_host_check_events");
	int n = next(host, event);
	if (n > 0 && event)
		tell(event);
	return n;
}

/*
 * Vectors of ENet's range coder, made by the library itself: lines of what goes in and what comes out, in
 * hexadecimal. They are dissect/gamestudio/testdata/enet_range.txt.
 *
 *     cc -o range range.c -lenet
 *     ./range > enet_range.txt
 */
#include <enet/enet.h>
#include <stdio.h>
#include <string.h>

static void *coder;

static void hex(const unsigned char *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		printf("%02x", b[i]);
}

/* code writes a vector. What the coder makes longer is none: a packet is not sent so. */
static void code(const unsigned char *b, size_t n)
{
	static unsigned char out[1 << 16];
	ENetBuffer in = {.data = (void *)b, .dataLength = n};
	size_t size = enet_range_coder_compress(coder, &in, 1, n, out, sizeof out);
	if (size == 0)
		return;
	hex(b, n);
	printf(" ");
	hex(out, size);
	printf("\n");
}

static unsigned state = 1;

/* draw gives a number below n. */
static unsigned draw(unsigned n)
{
	state = state * 1103515245 + 12345;
	return (state >> 16) % n;
}

int main(void)
{
	static unsigned char b[4096];
	coder = enet_range_coder_create();
	const char *texts[] = {
		"a", "ab", "aaaaaaaa", "abracadabra abracadabra abracadabra",
		"the quick brown fox jumps over the lazy dog, and the quick brown dog jumps over the lazy fox",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		code((const unsigned char *)texts[i], strlen(texts[i]));
	/* every single byte that is small, and runs of zeros and ones */
	for (int v = 0; v < 256; v += 17) {
		b[0] = v;
		code(b, 1);
	}
	for (size_t n = 2; n <= 4096; n = n * 2) {
		memset(b, 0, n);
		code(b, n);
		memset(b, 0xff, n);
		code(b, n);
	}
	/* bytes of few and of many values, short and long: counts are halved, and the model fills up */
	static const unsigned values[] = {2, 3, 7, 20, 100, 256};
	static const size_t sizes[] = {5, 23, 150, 700, 1400};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			for (size_t j = 0; j < sizes[k]; j++)
				b[j] = draw(values[i]) * (256 / values[i]) + (draw(10) == 0 ? draw(256) : 0);
			code(b, sizes[k]);
		}
	}
	for (size_t j = 0; j < sizeof b; j++)
		b[j] = draw(256);
	code(b, sizeof b);
	/* one byte nearly always, so that its count is halved again and again, and others in between */
	for (size_t j = 0; j < sizeof b; j++)
		b[j] = draw(40) ? 'x' : draw(256);
	code(b, sizeof b);
	for (size_t j = 0; j < sizeof b; j++)
		b[j] = draw(3) ? "position"[j % 8] : draw(256);
	code(b, sizeof b);
	enet_range_coder_destroy(coder);
	return 0;
}

/* squeeze: packs text with references to what came before and a Huffman code
 *
 *   squeeze pack|unpack|codes|tokens|check [-w WINDOW] [-m MINIMUM] [-n] < FILE
 *
 *   pack      prints the packed bytes in hexadecimal
 *   unpack    reads these, prints the text
 *   codes     prints each symbol's count, and its code
 *   tokens    prints letters and references: <length,distance>
 *   check     packs and unpacks again, prints the sizes
 *
 *   -w WINDOW   how far back a reference can go (default 1024)
 *   -m MINIMUM  how short it can be (3 to 8, default 3)
 *   -n          no references
 *
 * Packed: "SQ", the size as a varint, the code lengths of all symbols (4 bits; behind 0
 * another 6: how many more zeros), the symbols, and at the next byte a checksum.
 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	END = 256,		/* symbols below are bytes, those above are lengths */
	N_LENGTHS = 8,
	N_SYMBOLS = END + 1 + N_LENGTHS,
	MIN_MATCH = 3,
	MAX_MATCH = 36,
	MAX_BITS = 12,
	MAX_WINDOW = 32767,
	HASH_SIZE = 512,
	MAX_CHAIN = 24,
	TOO_FAR = 256		/* for a reference of MIN_MATCH bytes */
};

enum error { OK, E_MAGIC, E_SHORT, E_CODE, E_DISTANCE, E_SIZE, E_SUM, E_HEX };

static const char *const messages[] = {
	"ok", "not packed", "too short", "bad code", "bad distance", "wrong size", "wrong checksum", "not hexadecimal"
};

static const int length_base[N_LENGTHS] = {3, 4, 5, 6, 7, 9, 13, 21};
static const int length_bits[N_LENGTHS] = {0, 0, 0, 0, 1, 2, 3, 4};

struct bytes {
	unsigned char *at;
	size_t n, room;
};

struct writer {
	struct bytes out;
	unsigned hold;		/* bits that do not yet make a byte */
	int n_hold;
};

struct reader {
	const struct bytes *in;
	size_t at;
	int bit;		/* of in->at[at], 7 first */
};

struct token {
	int length;		/* 0: a byte */
	int value;		/* the byte, or the distance */
	struct token *next;
};

struct tree {
	long weight;
	int symbol;		/* -1: none, an inner node */
	struct tree *child[2];
	struct tree *next;	/* in the queue */
};

struct code {
	long count[N_SYMBOLS];
	int length[N_SYMBOLS];
	unsigned bits[N_SYMBOLS];
};

struct options {
	int window, minimum, references;
};

static void *take(size_t size) {
	void *p = calloc(1, size);
	if (!p)
		exit(2);
	return p;
}

static void add_byte(struct bytes *b, int c) {
	if (b->n == b->room) {
		b->room = b->room ? 2 * b->room : 64;
		b->at = realloc(b->at, b->room);
		if (!b->at)
			exit(2);
	}
	b->at[b->n++] = (unsigned char)c;
}

static void put_bits(struct writer *w, unsigned value, int n) {
	while (n-- > 0) {
		w->hold = w->hold << 1 | (value >> n & 1);
		if (++w->n_hold == 8) {
			add_byte(&w->out, (int)w->hold);
			w->hold = 0;
			w->n_hold = 0;
		}
	}
}

/* -1 at the end */
static int get_bit(struct reader *r) {
	int bit;
	if (r->at >= r->in->n)
		return -1;
	bit = r->in->at[r->at] >> r->bit & 1;
	if (r->bit-- == 0) {
		r->bit = 7;
		r->at++;
	}
	return bit;
}

static int get_bits(struct reader *r, int n) {
	int value = 0;
	while (n-- > 0) {
		int bit = get_bit(r);
		if (bit < 0)
			return -1;
		value = 2 * value + bit;
	}
	return value;
}

struct finder {
	const struct bytes *text;
	const struct options *options;
	int head[HASH_SIZE];	/* the last place with a hash, -1: none */
	int *before;		/* for each place, the one before it with the same hash */
};

static unsigned hash(const unsigned char *s) {
	return (s[0] * 33u * 33u + s[1] * 33u + s[2]) % HASH_SIZE;
}

static void note_place(struct finder *f, int place) {
	unsigned h;
	if ((size_t)place + MIN_MATCH > f->text->n)
		return;
	h = hash(f->text->at + place);
	f->before[place] = f->head[h];
	f->head[h] = place;
}

/* the longest match that the bytes at `place` have before them, the nearest of several */
static int find_match(const struct finder *f, int place, int *distance) {
	const unsigned char *s = f->text->at;
	int rest = (int)f->text->n - place, best = 0, tries = MAX_CHAIN, from;
	if (rest < MIN_MATCH || !f->options->references)
		return 0;
	if (rest > MAX_MATCH)
		rest = MAX_MATCH;
	for (from = f->head[hash(s + place)]; from >= 0 && tries > 0; from = f->before[from], tries--) {
		int n = 0;
		if (place - from > f->options->window)
			break;
		while (n < rest && s[from + n] == s[place + n])
			n++;
		if (n > best) {
			best = n;
			*distance = place - from;
		}
	}
	if (best < f->options->minimum || (best == MIN_MATCH && *distance > TOO_FAR))
		return 0;
	return best;
}

static struct token **add_token(struct token **last, int length, int value) {
	struct token *t = take(sizeof *t);
	t->length = length;
	t->value = value;
	*last = t;
	return &t->next;
}

static struct token *tokenize(const struct bytes *text, const struct options *options) {
	struct finder f = {.text = text, .options = options};
	struct token *first = NULL, **last = &first;
	int place = 0, i;
	f.before = take((text->n + 1) * sizeof *f.before);
	for (i = 0; i < HASH_SIZE; i++)
		f.head[i] = -1;
	while (place < (int)text->n) {
		int distance = 0, later_distance = 0;
		int length = find_match(&f, place, &distance);
		note_place(&f, place);
		/* a byte first, if that makes the next match longer */
		if (length > 0 && find_match(&f, place + 1, &later_distance) > length)
			length = 0;
		if (length == 0) {
			last = add_token(last, 0, text->at[place]);
			place++;
			continue;
		}
		last = add_token(last, length, distance);
		for (i = 1; i < length; i++)
			note_place(&f, place + i);
		place += length;
	}
	free(f.before);
	return first;
}

static void free_tokens(struct token *t) {
	while (t) {
		struct token *next = t->next;
		free(t);
		t = next;
	}
}

static int length_symbol(int length) {
	int i = N_LENGTHS - 1;
	assert(length >= MIN_MATCH);
	while (length < length_base[i])
		i--;
	return END + 1 + i;
}

/* of two with the same weight the one that was there comes first */
static void enqueue(struct tree **queue, struct tree *t) {
	while (*queue && (*queue)->weight <= t->weight)
		queue = &(*queue)->next;
	t->next = *queue;
	*queue = t;
}

static struct tree *dequeue(struct tree **queue) {
	struct tree *t = *queue;
	*queue = t->next;
	t->next = NULL;
	return t;
}

static void free_tree(struct tree *t) {
	if (!t)
		return;
	free_tree(t->child[0]);
	free_tree(t->child[1]);
	free(t);
}

/* notes the depth of each leaf, and returns the largest */
static int measure(const struct tree *t, int depth, int *length) {
	int left, right;
	if (t->symbol >= 0) {
		length[t->symbol] = depth;
		return depth;
	}
	left = measure(t->child[0], depth + 1, length);
	right = measure(t->child[1], depth + 1, length);
	return left > right ? left : right;
}

static struct tree *new_tree(long weight, int symbol) {
	struct tree *t = take(sizeof *t);
	*t = (struct tree){.weight = weight, .symbol = symbol};
	return t;
}

/* with weights divided by `divisor`; returns the longest length */
static int try_lengths(struct code *code, long divisor) {
	struct tree *queue = NULL, *root;
	int longest;
	for (int i = 0; i < N_SYMBOLS; i++) {
		code->length[i] = 0;
		if (code->count[i] > 0)
			enqueue(&queue, new_tree((code->count[i] + divisor - 1) / divisor, i));
	}
	while (queue->next) {
		struct tree *t = new_tree(0, -1);
		t->child[0] = dequeue(&queue);
		t->child[1] = dequeue(&queue);
		t->weight = t->child[0]->weight + t->child[1]->weight;
		enqueue(&queue, t);
	}
	root = dequeue(&queue);
	longest = measure(root, root->symbol >= 0 ? 1 : 0, code->length);
	free_tree(root);
	return longest;
}

/* shorter codes come first, those of one length in the order of their symbols */
static void assign_codes(struct code *code) {
	unsigned next = 0;
	for (int length = 1; length <= MAX_BITS; length++) {
		for (int i = 0; i < N_SYMBOLS; i++)
			if (code->length[i] == length)
				code->bits[i] = next++;
		next <<= 1;
	}
}

static void make_code(struct code *code, const struct token *tokens) {
	long divisor = 1;
	memset(code, 0, sizeof *code);
	for (const struct token *t = tokens; t; t = t->next)
		code->count[t->length > 0 ? length_symbol(t->length) : t->value]++;
	code->count[END] = 1;
	while (try_lengths(code, divisor) > MAX_BITS)
		divisor *= 2;
	assign_codes(code);
}

static void write_lengths(struct writer *w, const struct code *code) {
	int i = 0;
	while (i < N_SYMBOLS) {
		int zeros = 0;
		put_bits(w, (unsigned)code->length[i], 4);
		if (code->length[i++] > 0)
			continue;
		while (i < N_SYMBOLS && zeros < 63 && code->length[i] == 0) {
			zeros++;
			i++;
		}
		put_bits(w, (unsigned)zeros, 6);
	}
}

static enum error read_lengths(struct reader *r, struct code *code) {
	int i = 0;
	memset(code, 0, sizeof *code);
	while (i < N_SYMBOLS) {
		int length = get_bits(r, 4);
		if (length < 0)
			return E_SHORT;
		code->length[i++] = length;
		if (length == 0) {
			int zeros = get_bits(r, 6);
			if (zeros < 0)
				return E_SHORT;
			i += zeros;
		}
	}
	return i == N_SYMBOLS ? OK : E_CODE;
}

/* a tree to read symbols with */
static enum error grow_tree(struct tree *root, const struct code *code) {
	for (int i = 0; i < N_SYMBOLS; i++) {
		struct tree *t = root;
		for (int bit = code->length[i] - 1; bit >= 0; bit--) {
			int side = code->bits[i] >> bit & 1;
			if (!t->child[side])
				t->child[side] = new_tree(0, -1);
			t = t->child[side];
			if (t->symbol >= 0)
				return E_CODE;
		}
		if (code->length[i] > 0)
			t->symbol = i;
	}
	return OK;
}

static unsigned checksum(const struct bytes *text) {
	unsigned a = 1, b = 0;
	for (size_t i = 0; i < text->n; i++) {
		a = (a + text->at[i]) % 251;
		b = (b + a) % 251;
	}
	return b << 8 | a;
}

static int log2_of(int n) {
	int log = 0;
	while (n >>= 1)
		log++;
	return log;
}

static void pack(const struct bytes *text, const struct options *options, struct bytes *packed) {
	struct writer w = {0};
	struct token *tokens = tokenize(text, options), *t;
	struct code code;
	size_t n;
	make_code(&code, tokens);
	put_bits(&w, 'S', 8);
	put_bits(&w, 'Q', 8);
	for (n = text->n; n >= 128; n >>= 7)
		put_bits(&w, (unsigned)(n & 127) | 128, 8);
	put_bits(&w, (unsigned)n, 8);
	write_lengths(&w, &code);
	for (t = tokens; t; t = t->next) {
		int symbol = t->length > 0 ? length_symbol(t->length) : t->value;
		put_bits(&w, code.bits[symbol], code.length[symbol]);
		if (symbol > END) {
			int i = symbol - END - 1, log = log2_of(t->value);
			put_bits(&w, (unsigned)(t->length - length_base[i]), length_bits[i]);
			put_bits(&w, (unsigned)log, 4);
			put_bits(&w, (unsigned)(t->value - (1 << log)), log);
		}
	}
	put_bits(&w, code.bits[END], code.length[END]);
	put_bits(&w, 0, (8 - w.n_hold) % 8);
	put_bits(&w, checksum(text), 16);
	free_tokens(tokens);
	*packed = w.out;
}

static enum error read_symbol(struct reader *r, const struct tree *t, int *symbol) {
	while (t && t->symbol < 0) {
		int bit = get_bit(r);
		if (bit < 0)
			return E_SHORT;
		t = t->child[bit];
	}
	if (!t)
		return E_CODE;
	*symbol = t->symbol;
	return OK;
}

static enum error read_reference(struct reader *r, int i, struct bytes *text) {
	int more = get_bits(r, length_bits[i]), log = get_bits(r, 4), low, distance, n;
	low = log < 0 ? -1 : get_bits(r, log);
	if (more < 0 || low < 0)
		return E_SHORT;
	distance = (1 << log) + low;
	if ((size_t)distance > text->n)
		return E_DISTANCE;
	for (n = length_base[i] + more; n > 0; n--)
		add_byte(text, text->at[text->n - (size_t)distance]);
	return OK;
}

static enum error unpack(const struct bytes *packed, struct bytes *text) {
	struct reader r = {packed, 0, 7};
	struct tree *root = new_tree(0, -1);
	struct code code;
	enum error error = E_MAGIC;
	size_t size = 0;
	int shift = 0, symbol = 0, byte;
	if (get_bits(&r, 8) != 'S' || get_bits(&r, 8) != 'Q')
		goto done;
	do {
		error = E_SHORT;
		byte = get_bits(&r, 8);
		if (byte < 0 || shift > 21)
			goto done;
		size |= (size_t)(byte & 127) << shift;
		shift += 7;
	} while (byte >= 128);
	if ((error = read_lengths(&r, &code)) != OK)
		goto done;
	assign_codes(&code);
	if ((error = grow_tree(root, &code)) != OK)
		goto done;
	for (;;) {
		if ((error = read_symbol(&r, root, &symbol)) != OK)
			goto done;
		if (symbol == END)
			break;
		if (symbol < END)
			add_byte(text, symbol);
		else if ((error = read_reference(&r, symbol - END - 1, text)) != OK)
			goto done;
	}
	if (r.bit != 7)		/* the rest of a byte */
		get_bits(&r, r.bit + 1);
	if (text->n != size)
		error = E_SIZE;
	else if (get_bits(&r, 16) != (int)checksum(text))
		error = E_SUM;
done:
	free_tree(root);
	return error;
}

static enum error read_hex(struct bytes *packed) {
	int c, half = -1;
	while ((c = getchar()) != EOF) {
		int digit;
		if (isspace(c))
			continue;
		if (!isxdigit(c))
			return E_HEX;
		digit = isdigit(c) ? c - '0' : tolower(c) - 'a' + 10;
		if (half >= 0)
			add_byte(packed, half << 4 | digit);
		half = half >= 0 ? -1 : digit;
	}
	return half < 0 ? OK : E_HEX;
}

static void print_hex(const struct bytes *b) {
	for (size_t i = 0; i < b->n; i++)
		printf("%02x%s", b->at[i], i % 24 == 23 || i + 1 == b->n ? "\n" : "");
}

static void print_byte(int c) {
	printf(isprint(c) ? "%c" : "\\%02x", c);
}

static void print_tokens(const struct token *t) {
	for (; t; t = t->next)
		if (t->length > 0)
			printf("<%d,%d>", t->length, t->value);
		else
			print_byte(t->value);
	printf("\n");
}

static void print_codes(const struct code *code) {
	for (int i = 0; i < N_SYMBOLS; i++) {
		if (code->length[i] == 0)
			continue;
		if (i < END)
			print_byte(i);
		else if (i == END)
			printf("end");
		else
			printf("length %d", length_base[i - END - 1]);
		printf("\t%ld\t", code->count[i]);
		for (int bit = code->length[i] - 1; bit >= 0; bit--)
			printf("%u", code->bits[i] >> bit & 1);
		printf("\n");
	}
}

static void check(const struct bytes *text, const struct bytes *packed) {
	struct bytes again = {0};
	enum error error = unpack(packed, &again);
	int same = again.n == text->n && (text->n == 0 || memcmp(again.at, text->at, text->n) == 0);
	printf("%zu -> %zu, %zu%% %s\n", text->n, packed->n, text->n > 0 ? 100 * packed->n / text->n : 100,
	       error == OK && !same ? "differs" : messages[error]);
	free(again.at);
}

static int parse_options(struct options *o, int argc, char **argv) {
	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], "-n") == 0)
			o->references = 0;
		else if (strcmp(argv[i], "-w") == 0 && i + 1 < argc)
			o->window = atoi(argv[++i]);
		else if (strcmp(argv[i], "-m") == 0 && i + 1 < argc)
			o->minimum = atoi(argv[++i]);
		else
			return 0;
	}
	return o->window >= 1 && o->window <= MAX_WINDOW && o->minimum >= MIN_MATCH && o->minimum <= 8;
}

int main(int argc, char **argv) {
	struct options options = {.window = 1024, .minimum = MIN_MATCH, .references = 1};
	const char *mode = argc > 1 ? argv[1] : "";
	struct bytes in = {0}, out = {0};
	enum error error = OK;
	int c, unpacking = strcmp(mode, "unpack") == 0;
	if (!parse_options(&options, argc, argv)) {
		printf("squeeze pack|unpack|codes|tokens|check [-w WINDOW] [-m MINIMUM] [-n]\n");
		return 0;
	}
	if (unpacking)
		error = read_hex(&in);
	else
		while ((c = getchar()) != EOF)
			add_byte(&in, c);
	if (unpacking && error == OK) {
		error = unpack(&in, &out);
	} else if (strcmp(mode, "pack") == 0 || strcmp(mode, "check") == 0) {
		pack(&in, &options, &out);
		if (mode[0] == 'p')
			print_hex(&out);
		else
			check(&in, &out);
	} else if (strcmp(mode, "tokens") == 0 || strcmp(mode, "codes") == 0) {
		struct token *tokens = tokenize(&in, &options);
		struct code code;
		make_code(&code, tokens);
		if (mode[0] == 't')
			print_tokens(tokens);
		else
			print_codes(&code);
		free_tokens(tokens);
	} else if (!unpacking) {
		printf("squeeze: no mode %s\n", mode);
	}
	if (error != OK)
		printf("squeeze: %s\n", messages[error]);
	else if (unpacking)
		fwrite(out.n > 0 ? (const char *)out.at : "", 1, out.n, stdout);
	free(in.at);
	free(out.at);
	return 0;
}

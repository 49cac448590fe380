/* Packs bytes: pack e|d|t [-w WINDOW] < INPUT
 *
 * e prints the packed form as lines of hexadecimal digits, d unpacks such lines, t packs, unpacks, compares and prints
 * what was won. The packed form: a header 'P' 'K' and the length in 4 bytes (low first), then groups. Each group has a
 * byte of eight flags (lowest first); 0: a literal byte follows, 1: two bytes follow, 12 bits of distance - 1 and 4 bits
 * of length - 3; length code 15 is followed by a byte to be added. At the end a checksum of two bytes.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 3, SHORT = 15, MOST = LEAST + SHORT + 255, MAX_WINDOW = 4096, HASHES = 256 };

struct bytes {
    unsigned char *at;
    size_t length, room;
};

struct packer {
    const struct bytes *in;
    struct bytes *out;
    size_t window;
    size_t flags_at; /* where the byte of flags of this group is */
    int flag;        /* the next one; 8: begin a new group */
    long *latest;    /* by hash: the latest place, or -1 */
    long *previous;  /* by place: the one before with the same hash */
    int literals, copies;
};

static void add(struct bytes *b, unsigned byte)
{
    if (b->length == b->room) {
        b->room = b->room ? 2 * b->room : 64;
        b->at = realloc(b->at, b->room);
        if (!b->at)
            exit(2);
    }
    b->at[b->length++] = (unsigned char)byte;
}

static unsigned checksum(const struct bytes *b)
{
    unsigned low = 1, high = 0;
    for (size_t i = 0; i < b->length; i++) {
        low = (low + b->at[i]) % 251;
        high = (high + low) % 251;
    }
    return high << 8 | low;
}

static unsigned hash(const unsigned char *s)
{
    return (s[0] * 31u + s[1] * 7u + s[2]) % HASHES;
}

static void put_flag(struct packer *p, unsigned value)
{
    if (p->flag == 8) {
        p->flags_at = p->out->length;
        p->flag = 0;
        add(p->out, 0);
    }
    p->out->at[p->flags_at] |= (unsigned char)(value << p->flag);
    p->flag++;
}

static void put_literal(struct packer *p, unsigned byte)
{
    put_flag(p, 0);
    add(p->out, byte);
    p->literals++;
}

static void put_copy(struct packer *p, size_t distance, size_t length)
{
    unsigned far = (unsigned)distance - 1;
    unsigned code = length - LEAST < SHORT ? (unsigned)(length - LEAST) : SHORT;
    put_flag(p, 1);
    add(p->out, far & 0xff);
    add(p->out, (far >> 8) << 4 | code);
    if (code == SHORT)
        add(p->out, (unsigned)(length - LEAST - SHORT));
    p->copies++;
}

static size_t common(const struct bytes *b, size_t one, size_t other)
{
    size_t n = 0;
    while (n < MOST && other + n < b->length && b->at[one + n] == b->at[other + n])
        n++;
    return n;
}

/* The longest match before `at`; of equal ones the nearest. */
static size_t longest(const struct packer *p, size_t at, size_t *distance)
{
    size_t best = 0;
    if (at + LEAST > p->in->length)
        return 0;
    long place = p->latest[hash(p->in->at + at)];
    while (place >= 0 && at - (size_t)place <= p->window) {
        size_t n = common(p->in, (size_t)place, at);
        if (n > best) {
            best = n;
            *distance = at - (size_t)place;
        }
        place = p->previous[place];
    }
    return best;
}

static void remember(struct packer *p, size_t at)
{
    if (at + LEAST > p->in->length)
        return;
    unsigned h = hash(p->in->at + at);
    p->previous[at] = p->latest[h];
    p->latest[h] = (long)at;
}

static void pack(const struct bytes *in, struct bytes *out, size_t window, struct packer *p)
{
    long latest[HASHES];
    for (int i = 0; i < HASHES; i++)
        latest[i] = -1;
    *p = (struct packer){.in = in, .out = out, .window = window, .flag = 8, .latest = latest};
    p->previous = malloc((in->length + 1) * sizeof *p->previous);
    if (!p->previous)
        exit(2);
    add(out, 'P');
    add(out, 'K');
    for (int shift = 0; shift < 32; shift += 8)
        add(out, (unsigned)(in->length >> shift) & 0xff);
    size_t at = 0;
    while (at < in->length) {
        size_t distance = 0, n = longest(p, at, &distance);
        /* One byte later may begin a longer match: then this byte is better a literal. */
        if (n >= LEAST && n < SHORT) {
            size_t later_distance, later;
            remember(p, at);
            later = longest(p, at + 1, &later_distance);
            if (later > n + 1) {
                put_literal(p, in->at[at++]);
                continue;
            }
        } else {
            remember(p, at);
        }
        if (n < LEAST) {
            put_literal(p, in->at[at++]);
            continue;
        }
        put_copy(p, distance, n);
        for (size_t i = 1; i < n; i++)
            remember(p, at + i);
        at += n;
    }
    unsigned sum = checksum(in);
    add(out, sum & 0xff);
    add(out, sum >> 8);
    free(p->previous);
    p->previous = NULL;
    p->latest = NULL;
}

/* What is wrong with the packed bytes, or NULL. */
static const char *unpack(const struct bytes *in, struct bytes *out)
{
    if (in->length < 8 || in->at[0] != 'P' || in->at[1] != 'K')
        return "no header";
    size_t wanted = 0;
    for (int i = 0; i < 4; i++)
        wanted |= (size_t)in->at[2 + i] << (8 * i);
    size_t at = 6, end = in->length - 2;
    unsigned flags = 0;
    int flag = 8;
    while (out->length < wanted) {
        if (at >= end)
            return "ends too early";
        if (flag == 8) {
            flags = in->at[at++];
            flag = 0;
            continue;
        }
        if (!(flags >> flag++ & 1)) {
            add(out, in->at[at++]);
            continue;
        }
        if (at + 2 > end)
            return "ends in a copy";
        size_t distance = (in->at[at] | (size_t)(in->at[at + 1] >> 4) << 8) + 1;
        size_t n = (in->at[at + 1] & 15) + LEAST;
        at += 2;
        if (n == LEAST + SHORT) {
            if (at == end)
                return "ends in a length";
            n += in->at[at++];
        }
        if (distance > out->length)
            return "copy from before the beginning";
        /* The copy may overlap what it makes. */
        while (n-- > 0)
            add(out, out->at[out->length - distance]);
    }
    if (at != end)
        return "bytes left over";
    unsigned sum = in->at[end] | (unsigned)in->at[end + 1] << 8;
    return sum == checksum(out) ? NULL : "wrong checksum";
}

static void read_all(struct bytes *b)
{
    int c;
    while ((c = getchar()) != EOF)
        add(b, (unsigned)c);
}

static int digit(int c)
{
    return isdigit(c) ? c - '0' : isxdigit(c) ? tolower(c) - 'a' + 10 : -1;
}

static void read_hex(struct bytes *b)
{
    int c, high = -1;
    while ((c = getchar()) != EOF) {
        int d = digit(c);
        if (d < 0)
            continue;
        if (high < 0) {
            high = d;
        } else {
            add(b, (unsigned)(high << 4 | d));
            high = -1;
        }
    }
}

static void print_hex(const struct bytes *b)
{
    for (size_t i = 0; i < b->length; i++)
        printf("%02x%s", b->at[i], i % 32 == 31 || i + 1 == b->length ? "\n" : "");
}

int main(int argc, char **argv)
{
    struct bytes in = {0}, packed = {0}, back = {0};
    struct packer p;
    size_t window = MAX_WINDOW;
    const char *wrong;
    const char *what = argc > 1 ? argv[1] : "";
    if (argc > 3 && strcmp(argv[2], "-w") == 0)
        window = (size_t)atoi(argv[3]);
    if (!strchr("edt", what[0]) || what[0] == '\0' || window < 1 || window > MAX_WINDOW) {
        printf("usage: pack e|d|t [-w WINDOW]\n");
        return 0;
    }
    switch (what[0]) {
    case 'e':
        read_all(&in);
        pack(&in, &packed, window, &p);
        print_hex(&packed);
        break;
    case 'd':
        read_hex(&packed);
        wrong = unpack(&packed, &back);
        fwrite(back.at, 1, back.length, stdout);
        if (wrong)
            printf("\npack: %s\n", wrong);
        break;
    case 't':
        read_all(&in);
        pack(&in, &packed, window, &p);
        wrong = unpack(&packed, &back);
        printf("%zu -> %zu, %d literals, %d copies\n", in.length, packed.length, p.literals, p.copies);
        if (wrong)
            printf("cannot be unpacked: %s\n", wrong);
        else if (back.length != in.length || (in.length > 0 && memcmp(back.at, in.at, in.length) != 0))
            printf("differs\n");
        else
            printf("same\n");
        break;
    }
    free(in.at);
    free(packed.at);
    free(back.at);
    return 0;
}

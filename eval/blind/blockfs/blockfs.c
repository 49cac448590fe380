/*
 * A file system on a disk of small blocks, with a cache of them. Commands on standard input, one on each line:
 *
 *   format BLOCKS                       must be the first
 *   mkdir PATH, create PATH, ln OLD NEW, mv OLD NEW, rm PATH, rmdir PATH
 *   write PATH OFFSET TEXT, read PATH OFFSET COUNT, truncate PATH SIZE
 *   open NAME PATH, next NAME COUNT, add NAME TEXT, close NAME     handles of open files
 *   ls PATH, tree PATH, stat PATH, cache, check
 *
 * On the disk: block 0 describes it, block 1 has a bit for each block in use, then inodes, then data. An inode
 * knows four of its blocks; others are in an indirect block. Number 0 stands for a block that is not there.
 */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 32, DIRECT = 4, INDIRECT = BLOCK / 2, NAME = 14, CACHED = 6, CHAINS = 5 };
enum { INODES_AT = 2, PER_BLOCK = 2, ROOT = 1 };
enum { MAX_SIZE = (DIRECT + INDIRECT) * BLOCK, MAX_BLOCKS = 8 * BLOCK };
enum kind { UNUSED, PLAIN, DIRECTORY };

struct inode {
    uint8_t kind, links;
    uint16_t size;
    uint16_t direct[DIRECT];
    uint16_t indirect, spare;
};

struct entry {
    uint16_t inode; /* 0: not in use */
    char name[NAME];
};

struct buffer {
    unsigned block;
    int pins;
    bool dirty;
    union {
        unsigned char data[BLOCK];
        uint16_t blocks[INDIRECT];
    };
    struct buffer *chain;         /* others with the same hash */
    struct buffer *older, *newer; /* by last use */
};

struct handle {
    char name[NAME];
    unsigned inode, position;
    struct handle *next;
};

static unsigned char *disk;
static struct {
    uint16_t blocks, inodes, data_at;
} super;
static struct buffer *chains[CHAINS], *oldest, *newest;
static int cached, hits, reads, writes;
static struct handle *handles;
static const char *problem;

static int fail(const char *why) {
    if (problem == NULL)
        problem = why;
    return -1;
}

static void unlink_buffer(struct buffer *buffer) {
    if (buffer->older != NULL)
        buffer->older->newer = buffer->newer;
    else
        oldest = buffer->newer;
    if (buffer->newer != NULL)
        buffer->newer->older = buffer->older;
    else
        newest = buffer->older;
}

static void link_newest(struct buffer *buffer) {
    buffer->older = newest;
    buffer->newer = NULL;
    if (newest != NULL)
        newest->newer = buffer;
    else
        oldest = buffer;
    newest = buffer;
}

static void evict(void) {
    struct buffer *victim = oldest;
    while (victim != NULL && victim->pins > 0)
        victim = victim->newer;
    assert(victim != NULL);
    if (victim->dirty) {
        memcpy(disk + (size_t)victim->block * BLOCK, victim->data, BLOCK);
        writes++;
    }
    struct buffer **link = &chains[victim->block % CHAINS];
    while (*link != victim)
        link = &(*link)->chain;
    *link = victim->chain;
    unlink_buffer(victim);
    free(victim);
    cached--;
}

static struct buffer *get(unsigned block) {
    assert(block < super.blocks);
    struct buffer *buffer = chains[block % CHAINS];
    while (buffer != NULL && buffer->block != block)
        buffer = buffer->chain;
    if (buffer != NULL) {
        hits++;
        unlink_buffer(buffer);
    } else {
        if (cached == CACHED)
            evict();
        buffer = calloc(1, sizeof *buffer);
        buffer->block = block;
        memcpy(buffer->data, disk + (size_t)block * BLOCK, BLOCK);
        reads++;
        buffer->chain = chains[block % CHAINS];
        chains[block % CHAINS] = buffer;
        cached++;
    }
    link_newest(buffer);
    buffer->pins++;
    return buffer;
}

static void put(struct buffer *buffer, bool changed) {
    assert(buffer->pins > 0);
    buffer->pins--;
    buffer->dirty = buffer->dirty || changed;
}

static unsigned allocate(void) {
    struct buffer *map = get(1);
    for (unsigned block = super.data_at; block < super.blocks; block++) {
        if ((map->data[block / 8] >> block % 8 & 1) != 0)
            continue;
        map->data[block / 8] |= (unsigned char)(1u << block % 8);
        put(map, true);
        struct buffer *fresh = get(block);
        memset(fresh->data, 0, BLOCK);
        put(fresh, true);
        return block;
    }
    put(map, false);
    fail("disk full");
    return 0;
}

static void release(unsigned block) {
    if (block == 0)
        return;
    struct buffer *map = get(1);
    assert((map->data[block / 8] >> block % 8 & 1) != 0);
    map->data[block / 8] &= (unsigned char)~(1u << block % 8);
    put(map, true);
}

static struct inode load(unsigned number) {
    struct inode inode;
    struct buffer *buffer = get(INODES_AT + number / PER_BLOCK);
    memcpy(&inode, buffer->data + number % PER_BLOCK * sizeof inode, sizeof inode);
    put(buffer, false);
    return inode;
}

static void store(unsigned number, const struct inode *inode) {
    struct buffer *buffer = get(INODES_AT + number / PER_BLOCK);
    memcpy(buffer->data + number % PER_BLOCK * sizeof *inode, inode, sizeof *inode);
    put(buffer, true);
}

static unsigned new_inode(enum kind kind) {
    for (unsigned number = ROOT; number < super.inodes; number++) {
        struct inode inode = load(number);
        if (inode.kind != UNUSED)
            continue;
        memset(&inode, 0, sizeof inode);
        inode.kind = (uint8_t)kind;
        store(number, &inode);
        return number;
    }
    fail("no inode left");
    return 0;
}

/* The block with a part of a file; 0 if there is none, and none can be or is to be made. */
static unsigned block_of(struct inode *inode, unsigned index, bool make) {
    if (index >= DIRECT + INDIRECT)
        return 0;
    if (index < DIRECT) {
        if (inode->direct[index] == 0 && make)
            inode->direct[index] = (uint16_t)allocate();
        return inode->direct[index];
    }
    if (inode->indirect == 0 && make)
        inode->indirect = (uint16_t)allocate();
    if (inode->indirect == 0)
        return 0;
    struct buffer *buffer = get(inode->indirect);
    index -= DIRECT;
    bool missing = buffer->blocks[index] == 0 && make;
    if (missing)
        buffer->blocks[index] = (uint16_t)allocate();
    unsigned block = buffer->blocks[index];
    put(buffer, missing);
    return block;
}

static unsigned read_at(struct inode *inode, unsigned offset, char *to, unsigned count) {
    if (offset >= inode->size)
        return 0;
    if (count > inode->size - offset)
        count = inode->size - offset;
    for (unsigned done = 0; done < count;) {
        unsigned at = (offset + done) % BLOCK, part = BLOCK - at;
        if (part > count - done)
            part = count - done;
        unsigned block = block_of(inode, (offset + done) / BLOCK, false);
        if (block == 0) {
            memset(to + done, 0, part);
        } else {
            struct buffer *buffer = get(block);
            memcpy(to + done, buffer->data + at, part);
            put(buffer, false);
        }
        done += part;
    }
    return count;
}

static unsigned write_at(struct inode *inode, unsigned offset, const char *from, unsigned count) {
    unsigned done = 0;
    while (done < count) {
        unsigned at = (offset + done) % BLOCK, part = BLOCK - at;
        if (part > count - done)
            part = count - done;
        unsigned block = block_of(inode, (offset + done) / BLOCK, true);
        if (block == 0)
            break;
        struct buffer *buffer = get(block);
        memcpy(buffer->data + at, from + done, part);
        put(buffer, true);
        done += part;
    }
    if (done > 0 && offset + done > inode->size)
        inode->size = (uint16_t)(offset + done);
    if (done < count)
        fail("not all is written");
    return done;
}

static void shrink(struct inode *inode, unsigned size) {
    unsigned keep = (size + BLOCK - 1) / BLOCK;
    for (unsigned i = keep; i < DIRECT; i++) {
        release(inode->direct[i]);
        inode->direct[i] = 0;
    }
    if (inode->indirect != 0) {
        struct buffer *buffer = get(inode->indirect);
        for (unsigned i = keep > DIRECT ? keep - DIRECT : 0; i < INDIRECT; i++) {
            release(buffer->blocks[i]);
            buffer->blocks[i] = 0;
        }
        put(buffer, true);
        if (keep <= DIRECT) {
            release(inode->indirect);
            inode->indirect = 0;
        }
    }
    /* What is behind the end must be zero, should the file grow again. */
    unsigned last = size % BLOCK == 0 ? 0 : block_of(inode, size / BLOCK, false);
    if (last != 0) {
        struct buffer *buffer = get(last);
        memset(buffer->data + size % BLOCK, 0, BLOCK - size % BLOCK);
        put(buffer, true);
    }
    inode->size = (uint16_t)size;
}

static bool is_open(unsigned number) {
    for (struct handle *handle = handles; handle != NULL; handle = handle->next)
        if (handle->inode == number)
            return true;
    return false;
}

/* A file without names that is not open ceases to be. */
static void drop(unsigned number, struct inode *inode) {
    if (inode->links == 0 && !is_open(number)) {
        shrink(inode, 0);
        inode->kind = UNUSED;
    }
    store(number, inode);
}

/* Finds a name, or the first entry that is not in use if it is empty. Returns the offset of the entry. */
static int find(struct inode *directory, const char *name, struct entry *entry) {
    for (unsigned offset = 0; offset < directory->size; offset += sizeof *entry) {
        read_at(directory, offset, (char *)entry, sizeof *entry);
        if (*name == '\0' ? entry->inode == 0 : entry->inode != 0 && strncmp(entry->name, name, NAME) == 0)
            return (int)offset;
    }
    return -1;
}

/* Goes on to an entry that is in use. */
static bool next_entry(struct inode *directory, unsigned *offset, struct entry *entry) {
    while (*offset < directory->size) {
        read_at(directory, *offset, (char *)entry, sizeof *entry);
        *offset += sizeof *entry;
        if (entry->inode != 0)
            return true;
    }
    return false;
}

static int enter(unsigned where, const char *name, unsigned number) {
    struct inode directory = load(where);
    struct entry entry;
    int offset = find(&directory, "", &entry);
    if (offset < 0)
        offset = directory.size;
    memset(&entry, 0, sizeof entry);
    entry.inode = (uint16_t)number;
    memcpy(entry.name, name, strlen(name));
    unsigned done = write_at(&directory, (unsigned)offset, (char *)&entry, sizeof entry);
    store(where, &directory);
    if (done != sizeof entry)
        return fail("directory full");
    struct inode inode = load(number);
    inode.links++;
    store(number, &inode);
    return 0;
}

static void leave(unsigned where, const char *name) {
    struct inode directory = load(where);
    struct entry entry;
    int offset = find(&directory, name, &entry);
    assert(offset >= 0);
    unsigned number = entry.inode;
    memset(&entry, 0, sizeof entry);
    write_at(&directory, (unsigned)offset, (char *)&entry, sizeof entry);
    store(where, &directory);
    struct inode inode = load(number);
    inode.links--;
    drop(number, &inode);
}

/* Sets the directory and the last name of a path; returns the inode, 0 if there is none, -1 if there cannot be. */
static int walk(const char *path, unsigned *where, char *name) {
    unsigned current = ROOT;
    *where = ROOT;
    name[0] = '\0';
    if (*path != '/')
        return fail("paths begin with /");
    for (path += strspn(path, "/"); *path != '\0'; path += strspn(path, "/")) {
        size_t length = strcspn(path, "/");
        if (length >= NAME)
            return fail("name too long");
        if (current == 0)
            return fail("no such directory");
        struct inode directory = load(current);
        if (directory.kind != DIRECTORY)
            return fail("not a directory");
        memcpy(name, path, length);
        name[length] = '\0';
        *where = current;
        struct entry entry;
        current = find(&directory, name, &entry) < 0 ? 0 : entry.inode;
        path += length;
    }
    return (int)current;
}

static unsigned existing(const char *path) {
    unsigned where;
    char name[NAME];
    int number = walk(path, &where, name);
    if (number == 0)
        fail("no such file");
    return number > 0 ? (unsigned)number : 0;
}

/* The directory in which a new name can be made, or 0. */
static unsigned room_for(const char *path, char *name) {
    unsigned where;
    int number = walk(path, &where, name);
    if (number > 0)
        fail("exists");
    return number == 0 ? where : 0;
}

static void close_disk(void) {
    while (cached > 0)
        evict();
    while (handles != NULL) {
        struct handle *next = handles->next;
        free(handles);
        handles = next;
    }
    free(disk);
}

static void format(const char *count) {
    int blocks = atoi(count);
    if (blocks < 16 || blocks > MAX_BLOCKS) {
        fail("bad size");
        return;
    }
    close_disk();
    disk = calloc((size_t)blocks, BLOCK);
    super.blocks = (uint16_t)blocks;
    super.inodes = (uint16_t)(blocks / 4 * PER_BLOCK);
    super.data_at = (uint16_t)(INODES_AT + super.inodes / PER_BLOCK);
    memcpy(disk, &super, sizeof super);
    struct buffer *map = get(1);
    for (unsigned block = 0; block < super.data_at; block++)
        map->data[block / 8] |= (unsigned char)(1u << block % 8);
    put(map, true);
    struct inode root = load(new_inode(DIRECTORY));
    root.links = 1;
    store(ROOT, &root);
    hits = reads = writes = 0;
}

static void make(const char *path, enum kind kind) {
    char name[NAME];
    unsigned where = room_for(path, name);
    unsigned number = where == 0 ? 0 : new_inode(kind);
    if (number != 0 && enter(where, name, number) < 0) {
        struct inode inode = load(number);
        drop(number, &inode);
    }
}

static void link_to(const char *old, const char *path) {
    char name[NAME];
    unsigned number = existing(old), where = room_for(path, name);
    if (number == 0 || where == 0)
        return;
    if (load(number).kind == DIRECTORY)
        fail("is a directory");
    else
        enter(where, name, number);
}

/* Whether a directory is in another, or the same. */
static bool inside(unsigned number, unsigned outer) {
    if (number == outer)
        return true;
    struct inode directory = load(outer);
    struct entry entry;
    for (unsigned offset = 0; next_entry(&directory, &offset, &entry);)
        if (load(entry.inode).kind == DIRECTORY && inside(number, entry.inode))
            return true;
    return false;
}

static void move(const char *old, const char *path) {
    unsigned from;
    char old_name[NAME], name[NAME];
    unsigned number = existing(old), where = room_for(path, name);
    if (number == 0 || where == 0)
        return;
    walk(old, &from, old_name);
    if (load(number).kind == DIRECTORY && inside(where, number)) {
        fail("into itself");
        return;
    }
    if (enter(where, name, number) == 0)
        leave(from, old_name);
}

static void delete (const char *path, enum kind kind) {
    unsigned where;
    char name[NAME];
    int number = existing(path) == 0 ? 0 : walk(path, &where, name);
    if (number <= 0)
        return;
    struct inode inode = load((unsigned)number);
    struct entry entry;
    unsigned offset = 0;
    if (inode.kind != kind)
        fail(kind == DIRECTORY ? "not a directory" : "is a directory");
    else if (number == ROOT)
        fail("that is the root");
    else if (kind == DIRECTORY && next_entry(&inode, &offset, &entry))
        fail("not empty");
    else
        leave(where, name);
}

static void print(const char *text, unsigned count) {
    putchar('"');
    for (unsigned i = 0; i < count; i++)
        putchar(text[i] == '\0' ? '.' : text[i]);
    printf("\"\n");
}

/* A plain file, or 0. */
static unsigned file(const char *path, struct inode *inode) {
    unsigned number = existing(path);
    if (number == 0)
        return 0;
    *inode = load(number);
    if (inode->kind == PLAIN)
        return number;
    fail("is a directory");
    return 0;
}

static void list(unsigned number, unsigned depth, bool deep) {
    struct inode directory = load(number);
    struct entry entry;
    for (unsigned offset = 0; next_entry(&directory, &offset, &entry);) {
        struct inode inode = load(entry.inode);
        printf("%*s%s%s %u\n", 2 * (int)depth + 2, "", entry.name, inode.kind == DIRECTORY ? "/" : "", inode.size);
        if (deep && inode.kind == DIRECTORY)
            list(entry.inode, depth + 1, deep);
    }
}

static unsigned blocks_in(struct inode *inode) {
    unsigned count = inode->indirect != 0;
    for (unsigned i = 0; i < DIRECT + INDIRECT; i++)
        count += block_of(inode, i, false) != 0;
    return count;
}

static unsigned blocks_used(void) {
    struct buffer *map = get(1);
    unsigned count = 0;
    for (unsigned block = super.data_at; block < super.blocks; block++)
        count += map->data[block / 8] >> block % 8 & 1;
    put(map, false);
    return count;
}

static void check(void) {
    unsigned owned = 0, links = 0, named = 0;
    for (unsigned number = ROOT; number < super.inodes; number++) {
        struct inode inode = load(number);
        if (inode.kind == UNUSED)
            continue;
        owned += blocks_in(&inode);
        links += inode.links;
        struct entry entry;
        for (unsigned offset = 0; inode.kind == DIRECTORY && next_entry(&inode, &offset, &entry);)
            named++;
    }
    printf("  %u blocks of %u, %u links of %u\n", owned, blocks_used(), links, named + 1);
}

static struct handle **handle_called(const char *name) {
    struct handle **link = &handles;
    while (*link != NULL && strcmp((*link)->name, name) != 0)
        link = &(*link)->next;
    return link;
}

static void open_handle(const char *name, const char *path) {
    struct inode inode;
    unsigned number = file(path, &inode);
    if (number == 0 || *name == '\0' || strlen(name) >= NAME || *handle_called(name) != NULL) {
        fail("bad handle");
        return;
    }
    struct handle *handle = calloc(1, sizeof *handle);
    memcpy(handle->name, name, strlen(name));
    handle->inode = number;
    handle->next = handles;
    handles = handle;
}

static void use_handle(const char *command, const char *name, const char *text) {
    struct handle **link = handle_called(name), *handle = *link;
    if (handle == NULL) {
        fail("no such handle");
        return;
    }
    struct inode inode = load(handle->inode);
    if (*command == 'c') {
        *link = handle->next;
        drop(handle->inode, &inode);
        free(handle);
    } else if (*command == 'a') {
        handle->position = inode.size;
        handle->position += write_at(&inode, handle->position, text, (unsigned)strlen(text));
        store(handle->inode, &inode);
    } else {
        char buffer[MAX_SIZE];
        int count = atoi(text);
        unsigned done = count < 0 ? 0 : read_at(&inode, handle->position, buffer, (unsigned)count);
        handle->position += done;
        print(buffer, done);
    }
}

static void use_file(const char *command, const char *path, const char *number, const char *text) {
    struct inode inode;
    unsigned where = file(path, &inode);
    int offset = atoi(number);
    if (where == 0 || offset < 0 || offset > MAX_SIZE) {
        fail("bad offset");
    } else if (*command == 'r') {
        char buffer[MAX_SIZE];
        print(buffer, read_at(&inode, (unsigned)offset, buffer, (unsigned)abs(atoi(text))));
    } else {
        if (*command == 't' && offset < inode.size)
            shrink(&inode, (unsigned)offset);
        else if (*command == 't')
            inode.size = (uint16_t)offset;
        else
            write_at(&inode, (unsigned)offset, text, (unsigned)strlen(text));
        store(where, &inode);
    }
}

static void show(const char *command, const char *path) {
    unsigned number = existing(path);
    if (number == 0)
        return;
    struct inode inode = load(number);
    if (strcmp(command, "stat") == 0)
        printf("  %s, %u bytes, %u blocks, %u links\n", inode.kind == DIRECTORY ? "directory" : "file", inode.size,
               blocks_in(&inode), inode.links);
    else if (inode.kind == DIRECTORY)
        list(number, 0, strcmp(command, "tree") == 0);
    else
        fail("not a directory");
}

static void obey(char *line) {
    char *words[3], *command = strtok(line, " ");
    bool adds = strcmp(command, "add") == 0;
    /* What is last is text with spaces; `add` has no number before it. */
    for (int i = 0; i < 3; i++) {
        words[i] = strtok(NULL, i == 2 || (adds && i == 1) ? "" : " ");
        if (words[i] == NULL)
            words[i] = "";
    }
    if (disk == NULL && strcmp(command, "format") != 0)
        fail("no disk");
    else if (strcmp(command, "format") == 0)
        format(words[0]);
    else if (strcmp(command, "mkdir") == 0)
        make(words[0], DIRECTORY);
    else if (strcmp(command, "create") == 0)
        make(words[0], PLAIN);
    else if (strcmp(command, "ln") == 0)
        link_to(words[0], words[1]);
    else if (strcmp(command, "mv") == 0)
        move(words[0], words[1]);
    else if (strcmp(command, "rm") == 0)
        delete (words[0], PLAIN);
    else if (strcmp(command, "rmdir") == 0)
        delete (words[0], DIRECTORY);
    else if (strcmp(command, "write") == 0 || strcmp(command, "read") == 0 || strcmp(command, "truncate") == 0)
        use_file(command, words[0], words[1], words[2]);
    else if (strcmp(command, "open") == 0)
        open_handle(words[0], words[1]);
    else if (adds || strcmp(command, "next") == 0 || strcmp(command, "close") == 0)
        use_handle(command, words[0], words[1]);
    else if (strcmp(command, "ls") == 0 || strcmp(command, "tree") == 0 || strcmp(command, "stat") == 0)
        show(command, words[0]);
    else if (strcmp(command, "cache") == 0)
        printf("  %d hits, %d reads, %d writes\n", hits, reads, writes);
    else if (strcmp(command, "check") == 0)
        check();
    else
        fail("no such command");
}

int main(void) {
    char line[512];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[strspn(line, " ")] == '\0' || line[0] == '#')
            continue;
        problem = NULL;
        obey(line);
        if (problem != NULL)
            printf("! %s\n", problem);
    }
    close_disk();
}

/*
 * btree - an ordered index of names, kept in a B-tree
 *
 * usage: btree [-t DEGREE] [-u DEPTH] < COMMANDS
 *
 *   -t DEGREE   a node has DEGREE-1 to 2*DEGREE-1 entries (2 to 6, default 2)
 *   -u DEPTH    how many changes can be undone (default 8)
 *
 *   put KEY VALUE   get KEY         del KEY   undo [N]   list [FROM [TO]]
 *   near KEY        count FROM TO   rank KEY  nth N      tree
 *
 * Keys are compared without regard to case, runs of digits as numbers.
 */
#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEGREE 6
#define LINE_SIZE 256
#define KEY_SIZE 32
#define DIGITS "0123456789"

struct entry {
	char *key;
	char *value;
};

struct node {
	int n;		/* entries in use */
	int size;	/* entries in this node and all below */
	bool leaf;
	struct entry entries[2 * MAX_DEGREE];	/* one more, just before a split */
	struct node *children[2 * MAX_DEGREE + 1];
	struct node *parent;
};

/* one step back: `value` is what `key` had, NULL if it was not there */
struct change {
	char *key;
	char *value;
	struct change *older;
};

struct tree {
	struct node *root;	/* NULL: no entries */
	int degree;
	struct change *changes;
	int n_changes, max_changes;
};

struct cursor {
	struct node *node;	/* NULL: past the end, or before the beginning */
	int index;
};

static void *allocate(size_t size) {
	void *p = calloc(1, size);
	if (p == NULL) {
		fprintf(stderr, "btree: out of memory\n");
		exit(2);
	}
	return p;
}

static char *copy_text(const char *text) {
	char *copy = allocate(strlen(text) + 1);
	strcpy(copy, text);
	return copy;
}

static int compare_keys(const char *a, const char *b) {
	while (*a != '\0' && *b != '\0') {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			size_t la, lb;
			int order;
			a += strspn(a, "0");
			b += strspn(b, "0");
			la = strspn(a, DIGITS);
			lb = strspn(b, DIGITS);
			if (la != lb)
				return la < lb ? -1 : 1;
			order = strncmp(a, b, la);
			if (order != 0)
				return order;
			a += la;
			b += lb;
		} else {
			int ca = tolower((unsigned char)*a++);
			int cb = tolower((unsigned char)*b++);
			if (ca != cb)
				return ca < cb ? -1 : 1;
		}
	}
	return (*a != '\0') - (*b != '\0');
}

static struct node *new_node(bool leaf) {
	struct node *node = allocate(sizeof *node);
	node->leaf = leaf;
	return node;
}

static int child_index(const struct node *node) {
	int i = 0;
	while (node->parent->children[i] != node) {
		i++;
		assert(i <= node->parent->n);
	}
	return i;
}

static void recount(struct node *node) {
	node->size = node->n;
	if (!node->leaf)
		for (int i = 0; i <= node->n; i++)
			node->size += node->children[i]->size;
}

/* the first entry of the node that is not before `key` */
static int lower_bound(const struct node *node, const char *key) {
	int low = 0, high = node->n;
	while (low < high) {
		int middle = (low + high) / 2;
		if (compare_keys(node->entries[middle].key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* makes room for entry `i`, and for the child to its right */
static void open_gap(struct node *node, int i) {
	memmove(&node->entries[i + 1], &node->entries[i],
		(size_t)(node->n - i) * sizeof node->entries[0]);
	if (!node->leaf)
		memmove(&node->children[i + 2], &node->children[i + 1],
			(size_t)(node->n - i) * sizeof node->children[0]);
	node->n++;
}

static void close_gap(struct node *node, int i) {
	node->n--;
	memmove(&node->entries[i], &node->entries[i + 1],
		(size_t)(node->n - i) * sizeof node->entries[0]);
	if (!node->leaf)
		memmove(&node->children[i + 1], &node->children[i + 2],
			(size_t)(node->n - i) * sizeof node->children[0]);
}

static void set_child(struct node *node, int i, struct node *child) {
	node->children[i] = child;
	child->parent = node;
}

static struct cursor leftmost(struct node *node) {
	while (!node->leaf)
		node = node->children[0];
	return (struct cursor){node, 0};
}

static struct cursor rightmost(struct node *node) {
	while (!node->leaf)
		node = node->children[node->n];
	return (struct cursor){node, node->n - 1};
}

/* from behind the last entry of a node up to the entry that follows */
static struct cursor climb(struct cursor c) {
	while (c.node != NULL && c.index == c.node->n) {
		if (c.node->parent != NULL)
			c.index = child_index(c.node);
		c.node = c.node->parent;
	}
	return c;
}

static struct cursor next(struct cursor c) {
	if (!c.node->leaf)
		return leftmost(c.node->children[c.index + 1]);
	c.index++;
	return climb(c);
}

static struct cursor previous(struct cursor c) {
	if (!c.node->leaf)
		return rightmost(c.node->children[c.index]);
	while (c.node != NULL && c.index == 0) {
		if (c.node->parent != NULL)
			c.index = child_index(c.node);
		c.node = c.node->parent;
	}
	c.index--;
	return c;
}

static const struct entry *entry_at(struct cursor c) {
	return &c.node->entries[c.index];
}

/* where `key` is, or else the place in a leaf where it would be */
static bool find(const struct tree *tree, const char *key, struct cursor *c) {
	c->node = tree->root;
	c->index = 0;
	while (c->node != NULL) {
		c->index = lower_bound(c->node, key);
		if (c->index < c->node->n && compare_keys(c->node->entries[c->index].key, key) == 0)
			return true;
		if (c->node->leaf)
			break;
		c->node = c->node->children[c->index];
	}
	return false;
}

/* the first entry that is not before `key` */
static struct cursor seek(const struct tree *tree, const char *key) {
	struct cursor c;
	if (find(tree, key, &c))
		return c;
	return climb(c);
}

/* splits a node that has one entry too many, and returns its parent */
static struct node *split(struct tree *tree, struct node *node) {
	struct node *right = new_node(node->leaf), *parent = node->parent;
	int left_n = tree->degree, i;
	right->n = node->n - left_n - 1;
	memcpy(right->entries, &node->entries[left_n + 1], (size_t)right->n * sizeof right->entries[0]);
	if (!node->leaf)
		for (i = 0; i <= right->n; i++)
			set_child(right, i, node->children[left_n + 1 + i]);
	node->n = left_n;
	if (parent == NULL) {
		parent = new_node(false);
		set_child(parent, 0, node);
		tree->root = parent;
	}
	i = child_index(node);
	open_gap(parent, i);
	parent->entries[i] = node->entries[left_n];
	set_child(parent, i + 1, right);
	recount(node);
	recount(right);
	recount(parent);
	return parent;
}

/* the entry takes over key and value */
static void insert(struct tree *tree, char *key, char *value) {
	struct cursor c;
	struct node *node;
	if (tree->root == NULL)
		tree->root = new_node(true);
	find(tree, key, &c);
	assert(c.node->leaf);
	open_gap(c.node, c.index);
	c.node->entries[c.index] = (struct entry){key, value};
	for (node = c.node; node != NULL; node = node->parent)
		node->size++;
	for (node = c.node; node->n > 2 * tree->degree - 1; )
		node = split(tree, node);
}

/* the last entry of the left child goes up, the one above it down to the right */
static void rotate_right(struct node *parent, int i) {
	struct node *left = parent->children[i], *right = parent->children[i + 1];
	open_gap(right, 0);
	right->entries[0] = parent->entries[i];
	parent->entries[i] = left->entries[left->n - 1];
	if (!left->leaf) {
		right->children[1] = right->children[0];
		set_child(right, 0, left->children[left->n]);
	}
	left->n--;
	recount(left);
	recount(right);
}

static void rotate_left(struct node *parent, int i) {
	struct node *left = parent->children[i], *right = parent->children[i + 1];
	left->entries[left->n] = parent->entries[i];
	parent->entries[i] = right->entries[0];
	left->n++;
	if (!left->leaf) {
		set_child(left, left->n, right->children[0]);
		right->children[0] = right->children[1];
	}
	close_gap(right, 0);
	recount(left);
	recount(right);
}

/* child i, entry i and child i+1 become one node */
static void merge(struct tree *tree, struct node *parent, int i) {
	struct node *left = parent->children[i], *right = parent->children[i + 1];
	left->entries[left->n++] = parent->entries[i];
	for (int k = 0; k < right->n; k++)
		left->entries[left->n + k] = right->entries[k];
	if (!left->leaf)
		for (int k = 0; k <= right->n; k++)
			set_child(left, left->n + k, right->children[k]);
	left->n += right->n;
	assert(left->n < 2 * tree->degree);
	recount(left);
	close_gap(parent, i);
	free(right);
}

/* gives a node that lost an entry what it lacks; returns the parent if it gave one */
static struct node *refill(struct tree *tree, struct node *node) {
	struct node *parent = node->parent;
	int i = child_index(node);
	if (i > 0 && parent->children[i - 1]->n >= tree->degree) {
		rotate_right(parent, i - 1);
	} else if (i < parent->n && parent->children[i + 1]->n >= tree->degree) {
		rotate_left(parent, i);
	} else {
		merge(tree, parent, i > 0 ? i - 1 : i);
		return parent;
	}
	return NULL;
}

/* removes the entry, and returns its value, which is the caller's now */
static char *erase(struct tree *tree, struct cursor c) {
	struct entry *gone = &c.node->entries[c.index];
	char *value = gone->value;
	struct node *node;
	free(gone->key);
	if (!c.node->leaf) {
		c = previous(c);
		*gone = *entry_at(c);
	}
	close_gap(c.node, c.index);
	for (node = c.node; node != NULL; node = node->parent)
		node->size--;
	node = c.node;
	while (node != NULL && node->parent != NULL && node->n < tree->degree - 1)
		node = refill(tree, node);
	if (tree->root->n == 0) {
		struct node *old = tree->root;
		tree->root = old->leaf ? NULL : old->children[0];
		if (tree->root != NULL)
			tree->root->parent = NULL;
		free(old);
	}
	return value;
}

static void free_change(struct change *change) {
	free(change->key);
	free(change->value);
	free(change);
}

/* takes over `value` */
static void remember(struct tree *tree, const char *key, char *value) {
	struct change *change = allocate(sizeof *change), **at;
	change->key = copy_text(key);
	change->value = value;
	change->older = tree->changes;
	tree->changes = change;
	if (++tree->n_changes <= tree->max_changes)
		return;
	for (at = &tree->changes; (*at)->older != NULL; )
		at = &(*at)->older;
	free_change(*at);
	*at = NULL;
	tree->n_changes--;
}

static void put(struct tree *tree, const char *key, const char *value) {
	struct cursor c;
	if (find(tree, key, &c)) {
		struct entry *entry = &c.node->entries[c.index];
		remember(tree, entry->key, entry->value);
		entry->value = copy_text(value);
	} else {
		insert(tree, copy_text(key), copy_text(value));
		remember(tree, key, NULL);
	}
}

static bool del(struct tree *tree, const char *key) {
	struct cursor c;
	if (!find(tree, key, &c))
		return false;
	remember(tree, entry_at(c)->key, NULL);
	tree->changes->value = erase(tree, c);
	return true;
}

static bool undo(struct tree *tree) {
	struct change *change = tree->changes;
	struct cursor c;
	if (change == NULL)
		return false;
	tree->changes = change->older;
	tree->n_changes--;
	if (!find(tree, change->key, &c)) {
		insert(tree, change->key, change->value);
		change->key = NULL;
	} else if (change->value == NULL) {
		free(erase(tree, c));
	} else {
		free(c.node->entries[c.index].value);
		c.node->entries[c.index].value = change->value;
	}
	change->value = NULL;
	free_change(change);
	return true;
}

/* how many entries are before the cursor */
static int rank_of(const struct tree *tree, struct cursor c) {
	int rank;
	if (c.node == NULL)
		return tree->root != NULL ? tree->root->size : 0;
	rank = c.index;
	if (!c.node->leaf)
		for (int i = 0; i <= c.index; i++)
			rank += c.node->children[i]->size;
	for (const struct node *node = c.node; node->parent != NULL; node = node->parent) {
		int at = child_index(node);
		for (int i = 0; i < at; i++)
			rank += node->parent->children[i]->size + 1;
	}
	return rank;
}

/* the entry with `n` others before it */
static struct cursor nth(const struct tree *tree, int n) {
	struct node *node = tree->root;
	if (node == NULL || n < 0 || n >= node->size)
		return (struct cursor){NULL, 0};
	while (!node->leaf) {
		int i = 0;
		while (i < node->n && n > node->children[i]->size) {
			n -= node->children[i]->size + 1;
			i++;
		}
		if (i < node->n && n == node->children[i]->size)
			return (struct cursor){node, i};
		node = node->children[i];
	}
	return (struct cursor){node, n};
}

static void show(struct cursor c) {
	if (c.node == NULL)
		printf("-\n");
	else
		printf("%s = %s\n", entry_at(c)->key, entry_at(c)->value);
}

static void list(const struct tree *tree, const char *from, const char *to) {
	struct cursor c;
	int n = 0;
	if (tree->root == NULL) {
		printf("empty\n");
		return;
	}
	c = from != NULL ? seek(tree, from) : leftmost(tree->root);
	for (; c.node != NULL; c = next(c)) {
		if (to != NULL && compare_keys(entry_at(c)->key, to) > 0)
			break;
		show(c);
		n++;
	}
	printf("%d listed\n", n);
}

static void near(const struct tree *tree, const char *key) {
	struct cursor c = seek(tree, key), before = c;
	if (c.node != NULL)
		before = previous(c);
	else if (tree->root != NULL)
		before = rightmost(tree->root);
	printf("before: ");
	show(before);
	if (c.node != NULL && compare_keys(entry_at(c)->key, key) == 0)
		c = next(c);
	printf("after: ");
	show(c);
}

static int count(const struct tree *tree, const char *from, const char *to) {
	struct cursor a = seek(tree, from), b = seek(tree, to);
	int n = rank_of(tree, b) - rank_of(tree, a);
	if (b.node != NULL && compare_keys(entry_at(b)->key, to) == 0)
		n++;
	return n > 0 ? n : 0;
}

static void print_tree(const struct node *node, int depth) {
	printf("%*s[", 2 * depth, "");
	for (int i = 0; i < node->n; i++)
		printf("%s%s", i > 0 ? " " : "", node->entries[i].key);
	printf("] %d\n", node->size);
	if (!node->leaf)
		for (int i = 0; i <= node->n; i++)
			print_tree(node->children[i], depth + 1);
}

static bool run(struct tree *tree, const char *line) {
	char command[8] = "", a[KEY_SIZE] = "", b[KEY_SIZE] = "", rest[LINE_SIZE] = "";
	int words = sscanf(line, "%7s %31s %[^\n]", command, a, rest);
	struct cursor c;
	if (words < 1 || command[0] == '#')
		return true;
	sscanf(rest, "%31s", b);
	if (strcmp(command, "put") == 0 && words == 3) {
		put(tree, a, rest);
	} else if (strcmp(command, "del") == 0 && words >= 2) {
		if (!del(tree, a))
			printf("no %s\n", a);
	} else if (strcmp(command, "get") == 0 && words >= 2) {
		if (find(tree, a, &c))
			printf("%s\n", entry_at(c)->value);
		else
			printf("no %s\n", a);
	} else if (strcmp(command, "near") == 0 && words >= 2) {
		near(tree, a);
	} else if (strcmp(command, "rank") == 0 && words >= 2) {
		printf("%d\n", rank_of(tree, seek(tree, a)) + 1);
	} else if (strcmp(command, "nth") == 0 && words >= 2) {
		show(nth(tree, atoi(a) - 1));
	} else if (strcmp(command, "count") == 0 && words == 3) {
		printf("%d\n", count(tree, a, b));
	} else if (strcmp(command, "list") == 0) {
		list(tree, words >= 2 ? a : NULL, words == 3 ? b : NULL);
	} else if (strcmp(command, "undo") == 0) {
		int n = words >= 2 ? atoi(a) : 1;
		while (n > 0 && undo(tree))
			n--;
		if (n > 0)
			printf("nothing to undo\n");
	} else if (strcmp(command, "tree") == 0) {
		if (tree->root != NULL)
			print_tree(tree->root, 0);
		else
			printf("empty\n");
	} else {
		return false;
	}
	return true;
}

static void free_nodes(struct node *node) {
	for (int i = 0; !node->leaf && i <= node->n; i++)
		free_nodes(node->children[i]);
	for (int i = 0; i < node->n; i++) {
		free(node->entries[i].key);
		free(node->entries[i].value);
	}
	free(node);
}

static bool parse_options(struct tree *tree, int argc, char **argv) {
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-t") == 0 && i + 1 < argc)
			tree->degree = atoi(argv[++i]);
		else if (strcmp(argv[i], "-u") == 0 && i + 1 < argc)
			tree->max_changes = atoi(argv[++i]);
		else
			return false;
	}
	return tree->degree >= 2 && tree->degree <= MAX_DEGREE && tree->max_changes >= 1;
}

int main(int argc, char **argv) {
	struct tree tree = {.degree = 2, .max_changes = 8};
	char line[LINE_SIZE];
	int number = 0;
	if (!parse_options(&tree, argc, argv)) {
		printf("usage: btree [-t DEGREE] [-u DEPTH] < COMMANDS\n");
		return 0;
	}
	while (fgets(line, sizeof line, stdin) != NULL) {
		number++;
		line[strcspn(line, "\r\n")] = '\0';
		if (!run(&tree, line))
			printf("line %d: what?\n", number);
	}
	while (tree.changes != NULL) {
		struct change *change = tree.changes;
		tree.changes = change->older;
		free_change(change);
	}
	if (tree.root != NULL)
		free_nodes(tree.root);
	return 0;
}

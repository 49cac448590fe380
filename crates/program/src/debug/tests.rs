//! What is read from clang's debug metadata, and the names that addresses get by it.

use expect_test::{Expect, expect};

use super::{AddressStep, Debug, TypeShape, place_text, value_text};
use crate::lower::tests::compile_with_debug;
use crate::{Function, Module, Op, Operand};

fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    module.functions.iter().find(|f| f.name == name).expect("the function is there")
}

/// Variables with type, line, depth of block and home.
fn variables(debug: &Debug, function: &Function) -> String {
    let mut text = String::new();
    let described = debug.function(function.id).expect("it has debug information");
    for variable in &described.variables {
        let mut depth = 0;
        let mut scope = variable.scope;
        while let Some(parent) = described.scopes[scope.0 as usize].parent {
            (scope, depth) = (parent, depth + 1);
        }
        let home = match &variable.holder {
            Operand::Result(id) => format!("{id}"),
            Operand::Parameter(n) => format!("p{n}"),
            Operand::Constant(_) => "constant".into(),
        };
        let path: String = variable
            .path
            .iter()
            .map(|step| match step {
                AddressStep::Follow => " follow".to_string(),
                AddressStep::Add(n) => format!(" +{n}"),
            })
            .collect();
        let parameter = variable.parameter.map_or_else(String::new, |n| format!(" parameter {n}"));
        let ty = debug.type_text(variable.ty);
        text += &format!("{}: {ty}, line {}, depth {depth}, {home}{path}{parameter}\n", variable.name, variable.line);
    }
    text
}

/// What each store of a function writes to.
fn stores(language: &str, source: &str, name: &str, expected: Expect) {
    let (module, debug) = compile_with_debug(language, source);
    let function = function(&module, name);
    let mut text = String::new();
    for instruction in &function.instructions {
        if let Op::Store { address, value_type, .. } = &instruction.op
            && let Some(location) = instruction.location
        {
            let place = place_text(&module, &debug, function, address, value_type.store_size(), None);
            text += &format!("{}: {place}\n", location.line);
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn variables_have_types_blocks_and_homes() {
    let source = "
struct big { long a[4]; };
typedef const struct big *handle;
int f(struct big b, handle h, int (*callback)(char, ...), unsigned n) {
    static short calls;
    int grid[2][3], row[n];
    {
        char *n[4];
        n[0] = 0;
    }
    return calls++ + grid[1][2] + row[0] + callback('a') + b.a[0] + h->a[1];
}";
    let (module, debug) = compile_with_debug("c", source);
    expect![[r#"
        b: struct big, line 4, depth 0, p0 parameter 1
        h: handle, line 4, depth 0, i0 parameter 2
        callback: int (*)(char, ...), line 4, depth 0, i1 parameter 3
        n: unsigned int, line 4, depth 0, i2 parameter 4
        grid: int [2][3], line 6, depth 0, i3
        __vla_expr0: unsigned long, line 0, depth 0, i5
        row: int [], line 6, depth 0, i14
        n: char * [4], line 8, depth 1, i6
    "#]]
    .assert_eq(&variables(&debug, function(&module, "f")));
    let calls = debug.globals.iter().find(|g| g.name == "calls").expect("a static local");
    assert_eq!(module.globals[calls.position as usize].name, "f.calls");
    assert_eq!(calls.owner.map(|(f, _)| f), Some(function(&module, "f").id));
}

#[test]
fn records_have_bases_bit_fields_and_anonymous_members() {
    let source = "
namespace geometry {
struct shape { int id; static int count; };
class box : public shape { public: int width : 4; unsigned height : 12; union { float f; char c[2]; }; enum kind { LOW = -1, HIGH = 7 } k; };
}
int f(geometry::box &b) { return b.width; }";
    let (_, debug) = compile_with_debug("c++", source);
    let found = debug.types.iter().find(|t| t.name == "geometry::box").expect("the class is there");
    let TypeShape::Record { members, .. } = &found.shape else { panic!("it is a record") };
    let lines: Vec<_> = members
        .iter()
        .map(|m| format!("{:?} {} {} at {}", m.role, m.name, debug.type_text(m.ty), m.offset_bits))
        .collect();
    expect![[r#"
        Base  struct geometry::shape at 0
        BitField width int at 32
        BitField height unsigned int at 36
        Field  union {...} at 64
        Field k enum geometry::box::kind at 96"#]]
    .assert_eq(&lines.join("\n"));
    let kind = debug.types.iter().find(|t| t.name == "geometry::box::kind").expect("the enum is there");
    let TypeShape::Enum { names, .. } = &kind.shape else { panic!("it is an enum") };
    assert_eq!(names[..], [("LOW".to_string(), -1), ("HIGH".to_string(), 7)]);
}

#[test]
fn instructions_know_their_block() {
    let source = "int f(int a) {\n  int x = a;\n  {\n    int x = 2;\n    a += x;\n  }\n  return a + x;\n}";
    let (module, debug) = compile_with_debug("c", source);
    let function = function(&module, "f");
    let described = debug.function(function.id).expect("it has debug information");
    for (id, instruction) in (0..).map(crate::InstructionId).zip(&function.instructions) {
        let Some(location) = instruction.location else { continue };
        let depth = described.scopes_around(id).count();
        assert_eq!(depth, if (4..=5).contains(&location.line) { 2 } else { 1 }, "line {}", location.line);
    }
}

#[test]
fn places_of_c() {
    stores(
        "c",
        "struct list { struct list *next; int value; };
struct pair { int x, y; struct { short inner; }; struct list cells[3]; };
int table[4][5];
struct pair all[2], *some;
void f(struct list *p, struct pair a[], int i, struct pair by_value, int **q) {
    p->next = 0;
    p->next->value = 1;
    p->next->next->next = p;
    a[i].y = 2;
    a[3].x = 3;
    a->inner = 4;
    by_value.cells[i].value = 5;
    by_value.cells[2].next = p;
    table[i][2] = 6;
    table[1][i + 1] = 7;
    all[1].y = 8;
    some[i - 1].x = 9;
    *q = &i;
    **q = 10;
    q[1][i] = 11;
    (&by_value)->x = 12;
    *(int *)p = 13;
    int n[i];
    n[i / 2] = 14;
    char text[4] = {'a'};
    text[3] = 15;
}",
        "f",
        expect![[r#"
            6: p->next
            7: p->next->value
            8: p->next->next->next
            9: a[i].y
            10: a[3].x
            11: a->inner
            12: by_value.cells[i].value
            13: by_value.cells[2].next
            14: table[i][2]
            15: table[1][i + 1]
            16: all[1].y
            17: some[i - 1].x
            18: *q
            19: **q
            20: q[1][i]
            21: by_value.x
            22: p->next
            23: saved_stack
            23: __vla_expr0
            24: n[i / 2]
            26: text[3]
        "#]],
    );
}

#[test]
fn places_of_cpp() {
    stores(
        "c++",
        "struct base { int id; };
struct box : base { int size; int &ref; box(int &r) : ref(r) { id = 1; size = 2; ref = 3; } };
int zero;
box made(zero);
extern \"C\" void f(box &b, int &n, const box *p) {
    b.size = 4;
    b.id = 5;
    b.ref = 6;
    n = p->ref;
}",
        "f",
        expect![[r#"
            6: b.size
            7: b.id
            8: b.ref
            9: n
        "#]],
    );
}

#[test]
fn an_array_inside_a_struct_is_not_an_array_of_it() {
    stores(
        "c",
        "struct ring { int slots[4]; unsigned head; };
struct grid { long id; struct ring rings[2]; };
void f(struct ring *r, struct ring *all, struct grid *g, unsigned char *bytes, int i) {
    r->slots[i] = 1;
    all[i].head = 2;
    all[i].slots[i] = 3;
    g->rings[i].slots[1] = 4;
    ((char *)r)[i] = 5;
    bytes[i] = 6;
}",
        "f",
        expect![[r#"
            4: r->slots[i]
            5: all[i].head
            6: all[i].slots[i]
            7: g->rings[i].slots[1]
            8: r[i]
            9: bytes[i]
        "#]],
    );
}

/// What each condition of a function asks.
fn conditions(source: &str, name: &str, expected: Expect) {
    conditions_of("c++", source, name, expected);
}

fn conditions_of(language: &str, source: &str, name: &str, expected: Expect) {
    let (module, debug) = compile_with_debug(language, source);
    let function = function(&module, name);
    let mut text = String::new();
    for instruction in &function.instructions {
        if let Op::Branch { condition, .. } = &instruction.op
            && let Some(location) = instruction.location
        {
            text += &format!("{}: {}\n", location.line, value_text(&module, &debug, function, condition, None));
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn calls_of_cpp_are_written_as_in_the_source() {
    conditions(
        "struct pair { long first; int second; };
struct iterator {
    pair *at;
    pair *operator->() const { return at; }
    pair &operator*() const { return *at; }
    bool operator==(const iterator &other) const { return at == other.at; }
};
struct table {
    pair *pairs;
    int count;
    int &operator[](int i) { return pairs[i].second; }
    bool operator()(int i) const { return pairs[i].second; }
    bool has(const pair &wanted, int from) const;
    pair *last() { return pairs + count - 1; }
    bool is_empty() const { return !count; }
    bool both() const { if (is_empty()) return has(*pairs, 0); return true; }
};
template <class T> bool operator<(const T &a, const pair &b) { return a.at < &b; }
bool table::has(const pair &wanted, int from) const { return from < count && pairs[from].first == wanted.first; }
pair *found(table *t, int n) { return t->pairs + n; }
extern \"C\" int f(table &t, table *p, iterator i, iterator end, const pair &wanted, int n) {
    if (i->second <= n) return 1;
    if ((*i).first == 7) return 2;
    if (i == end) return 3;
    if (t[n + 1] > n) return 4;
    if (t.has(wanted, n)) return 5;
    if (p->has(wanted, 2)) return 6;
    if ((*p)[n] == 3) return 7;
    if (t(n)) return 8;
    if (i < wanted) return 9;
    if (p->last()->second) return 10;
    if (found(p, 3)->first > n) return 11;
    return 0;
}",
        "f",
        expect![[r#"
            22: i->second <= n
            23: i->first == 7
            24: i == end
            25: t[n + 1] > n
            26: t.has(wanted, n)
            27: p->has(wanted, 2)
            28: (*p)[n] == 3
            29: t(n)
            30: i < wanted
            31: p->last()->second
            32: found(p, 3)->first > n
        "#]],
    );
}

#[test]
fn characters_are_written_as_characters() {
    conditions_of(
        "c",
        "typedef char letter;
int f(char c, letter l, unsigned char byte, int i, const char *s) {
    if (c == '[') return 1;
    if (*s != ' ') return 2;
    if (l >= '\\'') return 3;
    if (byte == '[') return 4;
    if (i == '[') return 5;
    if ('a' <= s[i]) return 6;
    if (c == 0) return 7;
    if (c < -1) return 8;
    return 0;
}",
        "f",
        // Without the source, only a `char` is known to be a character.
        expect![[r#"
            3: c == '['
            4: *s != ' '
            5: l >= '\''
            6: byte == 91
            7: i == 91
            8: 'a' <= s[i]
            9: c == 0
            10: c < -1
        "#]],
    );
}

#[test]
fn characters_go_on_as_characters_where_they_can_be_shown() {
    let shifted = [("'a'", 1), ("'\\0'", 1), ("'\\0'", -1), ("'&'", 1), ("'~'", 1), ("a", 1), ("97", 1)];
    let written = shifted.map(|(constant, by)| super::shifted_character(constant, by));
    let expected = [Some("'b'"), Some("1"), Some("-1"), Some("'\\''"), Some("127"), None, None];
    assert_eq!(written, expected.map(|text| text.map(str::to_owned)));
}

#[test]
fn the_source_decides_what_is_a_character() {
    let folder = std::env::temp_dir().join(format!("faultline-characters-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let path = folder.join("characters.c");
    let source = "int f(char c, int i) {
    if (i == '[') return 1;
    if ('\\n' != i) return 2;
    if (c == 91) return 3;
    if (i==   '\\0') return 4;
    if (c > '\\\\') return 5;
    if (i == '\\'' || i == ' ') return 6;
    if (i == 91) return 7; // not '['
    if (c == '\\x5b') return 8;
    return 0;
}
";
    std::fs::write(&path, source).expect("it can be written");
    let compiled = format!("#line 1 \"{}\"\n{source}", path.display());
    let expected = expect![[r#"
        2: i == '['
        3: '\n' != i
        4: c == 91
        5: i == '\0'
        6: c > '\\'
        7: i == '\''
        7: i == ' '
        8: i == 91
        9: c == 91
    "#]];
    conditions_of("c", &compiled, "f", expected);
    // A source that says something else by now is not believed.
    std::fs::write(&path, source.replace("'['", "']'")).expect("it can be written");
    let (module, debug) = compile_with_debug("c", &compiled);
    let function = function(&module, "f");
    let first = function.instructions.iter().find_map(|instruction| match &instruction.op {
        Op::Branch { condition, .. } => Some(value_text(&module, &debug, function, condition, None)),
        _ => None,
    });
    assert_eq!(first.as_deref(), Some("i == 91"));
    std::fs::remove_dir_all(&folder).expect("it can be removed");
}

#[test]
fn members_of_classes_are_named_wherever_they_lie() {
    conditions(
        "struct empty {};
struct counted { counted(); long total; char last; };
counted::counted() {}
// Its constructor is elsewhere, and so is what debug information says of it.
struct text { text(); char *begin; long length; };
struct edge : empty, counted {
    char kind;
    unsigned is_open : 1, is_back : 1, weight : 14;
    int depth : 5;
    struct { bool seen; } mark;
    text from, to;
    int length;
};
extern \"C\" int f(edge *e, edge &r, edge list[], int i) {
    if (e->kind == 1) return 1;
    if (e->last > 2) return 2;
    if (r.total) return 3;
    if (e->is_open) return 4;
    if (r.is_back) return 5;
    if (list[i].weight > 7) return 6;
    if (e->depth < -3) return 7;
    if (r.mark.seen) return 8;
    if (list[2].length == 4) return 9;
    if (e->length == i) return 10;
    return 0;
}",
        "f",
        expect![[r#"
            15: e->kind == 1
            16: e->last > 2
            17: r.total
            18: e->is_open
            19: r.is_back
            20: list[i].weight > 7
            21: e->depth < -3
            22: r.mark.seen
            23: list[2].length == 4
            24: e->length == i
        "#]],
    );
}

#[test]
fn counting_down_is_written_so() {
    conditions(
        "struct node { int left; };
extern \"C\" int f(int n, node *p, int *q) {
    while (--n) q[0] = 1;
    if (--p->left > 3) return 1;
    if (--*q < 0) return 2;
    if (n - 1 > 2) return 3;
    if (n + -2 > 2) return 4;
    if ((n -= 1) == 7) return 5;
    return 0;
}",
        "f",
        expect![[r#"
            3: --n
            4: --p->left > 3
            5: --*q < 0
            6: n - 1 > 2
            7: n - 2 > 2
            8: n - 1 == 7
        "#]],
    );
}

#[test]
fn what_is_passed_is_written_as_in_the_source() {
    conditions_of(
        "c",
        "struct matcher { char name[8]; int kind; } table[3];
struct pair { int first, second; };
int same(const char *, const char *);
int take(int *, struct pair *);
char text[9];
int f(struct matcher *matchers, struct pair *p, int i) {
    char word[4] = {0};
    struct pair own = {0, 0};
    if (same(matchers[i].name, text)) return 1;
    if (same(table[2].name, word)) return 2;
    if (take(&p->first, p)) return 3;
    if (take(&own.first, &own)) return 4;
    if (same(matchers->name, matchers[1].name + 2)) return 5;
    return 0;
}",
        "f",
        // Of the address of a global nothing says whether its first member is meant.
        expect![[r#"
            9: same(matchers[i].name, text)
            10: same(&table[2], word)
            11: take(&p->first, p)
            12: take(&own.first, &own)
            13: same(matchers->name, &matchers[1].name[2])
        "#]],
    );
}

#[test]
fn operators_outside_are_written_between_their_operands() {
    conditions(
        "struct stream { bool operator!() const; stream &operator<<(int); operator bool() const; };
struct text { text(const char *); ~text(); char *at; };
stream &operator<<(stream &, const char *);
stream &operator<<(stream &, const text &);
bool operator==(const text &, const text &);
bool operator<(const text &, const char *);
template <class T> bool operator<(const T &a, int b) { return a.at[0] < b; }
struct set { int bits; set &operator|=(int b) { bits |= b; return *this; } };
extern stream out;
extern \"C\" int f(text &t, text *p, int n, set &s) {
    if (out << \"a\" << n << t) return 1;
    if (t == *p) return 2;
    if (t < \"x\") return 3;
    if (t < n) return 4;
    if ((s |= n + 1).bits) return 5;
    return 0;
}",
        "f",
        expect![[r#"
            11: out << "a" << n << t
            12: t == *p
            13: t < "x"
            14: t < n
            15: (s |= n + 1).bits
        "#]],
    );
}

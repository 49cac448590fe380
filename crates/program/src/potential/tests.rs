//! Potential definitions in small C programs, with exact expectations by line.

use std::time::Duration;

use crate::FunctionKey;
use budget::{Budget, Spent};

use super::{Base, Place, Potential, Use};
use crate::lower::tests::compile;
use crate::{BlockId, ConstantOp, Edge, Function, InstructionId, Module, Op, Operand};

struct Program {
    modules: Vec<Module>,
}

impl Program {
    fn of(sources: &[&str]) -> Program {
        Program { modules: sources.iter().map(|source| compile("c", source)).collect() }
    }

    fn potential(&self) -> Potential<'_> {
        of(&self.modules.iter().collect::<Vec<_>>())
    }

    fn function(&self, name: &str) -> FunctionKey {
        let found = self.modules.iter().zip(0..).find_map(|(module, position)| {
            let function = module.functions.iter().find(|f| f.name == name && !f.blocks.is_empty())?;
            Some(FunctionKey { module: position, function: function.id })
        });
        found.unwrap_or_else(|| panic!("no function {name}"))
    }
}

fn of<'m>(modules: &[&'m Module]) -> Potential<'m> {
    Potential::of(modules, &Budget::unlimited()).expect("there is no end to the budget")
}

fn line(function: &Function, id: InstructionId) -> u32 {
    function.instruction(id).location.map_or(0, |location| location.line)
}

/// The load on this line of the variable with this name, or of what an expression points to if the name is `*`.
fn load(potential: &Potential<'_>, module: &Module, function: FunctionKey, at: u32, name: &str) -> InstructionId {
    let body = potential.function(function);
    let mut found = (0..body.instructions.len() as u32).map(InstructionId).filter(|&id| {
        let Op::Load { address, .. } = &body.instruction(id).op else { return false };
        line(body, id) == at
            && match address {
                Operand::Result(from) => body.instruction(*from).name == name,
                Operand::Constant(constant) => {
                    let inner: &crate::Constant = match &constant.op {
                        ConstantOp::Offset(inner, _) => inner,
                        _ => constant,
                    };
                    match inner.op {
                        ConstantOp::Address(position) => module.globals[position as usize].name == name,
                        _ => false,
                    }
                }
                Operand::Parameter(_) => false,
            }
    });
    found.next().unwrap_or_else(|| panic!("no load of {name} on line {at}"))
}

/// The branch on this line and the edge it takes when its condition is true (or false).
fn edge(potential: &Potential<'_>, function: FunctionKey, at: u32, outcome: Outcome) -> Edge {
    let body = potential.function(function);
    for (id, instruction) in body.instructions.iter().enumerate() {
        let id = InstructionId(id as u32);
        if let Op::Branch { then, otherwise, .. } = instruction.op
            && line(body, id) == at
        {
            let to = match outcome {
                Outcome::True => then,
                Outcome::False => otherwise,
            };
            return Edge { from: potential.shape(function).block_of(id), to };
        }
    }
    panic!("no branch on line {at}");
}

#[derive(Clone, Copy)]
enum Outcome {
    True,
    False,
}
use Outcome::{False, True};

fn places(potential: &Potential<'_>, function: FunctionKey, load: InstructionId) -> Vec<Place> {
    let instruction = potential.function(function).instruction(load);
    let Op::Load { address, .. } = &instruction.op else { panic!("not a load") };
    potential.places(function, address, Some(instruction.ty.store_size()))
}

/// Lines of the definitions that could reach the load if the branch on line `branch` had this outcome.
fn could_define(source: &str, name: &str, used: (u32, &str), branch: (u32, Outcome)) -> Vec<u32> {
    let program = Program::of(&[source]);
    let potential = program.potential();
    let function = program.function(name);
    let user = load(&potential, &program.modules[0], function, used.0, used.1);
    let places = places(&potential, function, user);
    let edge = edge(&potential, function, branch.0, branch.1);
    let found = potential.definitions_if_taken(function, edge, &places, Use::Here(user));
    let mut lines: Vec<u32> = found.into_iter().map(|id| line(potential.function(function), id)).collect();
    lines.dedup();
    lines
}

/// Figure 1 of the paper about omission, shortened: the flags keep their value because a branch is not taken.
const OMITTED: &str = "\
int save; int flags; char out[8]; int count;
void f(int method) {
    flags = 0;
    if (save)
        flags |= 8;
    out[count++] = flags;
    if (method == 8 && save)
        out[count] = 5;
    if (method)
        count = 1;
    out[0] = out[1];
}";

#[test]
fn a_branch_that_was_not_taken_could_have_defined() {
    assert_eq!(could_define(OMITTED, "f", (6, "flags"), (4, True)), [5]);
    assert_eq!(could_define(OMITTED, "f", (6, "flags"), (4, False)), []);
    // Through an index the element is not known, so any element of the array may be defined.
    assert_eq!(could_define(OMITTED, "f", (11, "out"), (7, True)), [8]);
    assert_eq!(could_define(OMITTED, "f", (11, "out"), (9, True)), []);
}

#[test]
fn what_is_overwritten_does_not_reach() {
    let source = "\
int f(int p) {
    int x = 1;
    if (p)
        x = 2;
    x = 3;
    return x;
}";
    assert_eq!(could_define(source, "f", (6, "x"), (3, True)), []);
}

#[test]
fn nested_branches_and_loops_are_looked_into() {
    let source = "\
int f(int p, int q) {
    int x = 1, y = 0;
    if (p) {
        while (q--)
            if (q == 3)
                x = q;
        y = 1;
    }
    return x + y;
}";
    assert_eq!(could_define(source, "f", (9, "x"), (3, True)), [6]);
    assert_eq!(could_define(source, "f", (9, "y"), (3, True)), [7]);
    assert_eq!(could_define(source, "f", (9, "x"), (4, True)), [6]);
    assert_eq!(could_define(source, "f", (9, "y"), (4, True)), []);
}

#[test]
fn pointers_reach_only_what_they_may_point_to() {
    let source = "\
void keep(int *);
int f(int p, int *given) {
    int x = 1, y = 2, z = 3;
    int *q = &x;
    keep(&z);
    if (p)
        *q = 4;
    if (p > 1)
        *given = 5;
    return x + y + z;
}";
    assert_eq!(could_define(source, "f", (10, "x"), (6, True)), [7]);
    assert_eq!(could_define(source, "f", (10, "y"), (6, True)), []);
    assert_eq!(could_define(source, "f", (10, "z"), (6, True)), []);
    assert_eq!(could_define(source, "f", (10, "x"), (8, True)), []);
    // Somebody has kept the address of z and may have given it.
    assert_eq!(could_define(source, "f", (10, "z"), (8, True)), [9]);
}

#[test]
fn fields_of_one_struct_are_told_apart() {
    let source = "\
struct s { int a, b; int c[4]; };
int f(struct s *p, struct s *q, int i, int n) {
    if (n)
        q->a = 1;
    if (n > 1)
        q->c[i] = 2;
    if (n > 2)
        *q = *p;
    int r = p->a;
    r += p->b;
    return r + p->c[n];
}";
    let cases: [(u32, &str, u32, &[u32]); 9] = [
        (9, "a", 3, &[4]),
        (10, "b", 3, &[]),
        (11, "arrayidx5", 3, &[]),
        (9, "a", 5, &[]),
        (10, "b", 5, &[]),
        (11, "arrayidx5", 5, &[6]),
        (9, "a", 7, &[8]),
        (10, "b", 7, &[8]),
        (11, "arrayidx5", 7, &[8]),
    ];
    let program = Program::of(&[source]);
    let names: Vec<&str> = program.modules[0].functions[0].instructions.iter().map(|i| i.name.as_str()).collect();
    let index = *names.iter().rfind(|name| name.starts_with("arrayidx")).expect("an index");
    for (used, name, branch, expected) in cases {
        let name = match name {
            "arrayidx5" => index,
            field => names.iter().rfind(|n| n.trim_end_matches(char::is_numeric) == field).expect("a field"),
        };
        assert_eq!(could_define(source, "f", (used, name), (branch, True)), expected, "{name} and line {branch}");
    }
}

#[test]
fn calls_define_what_their_callees_write() {
    let source = "\
int g, h; int table[3];
static void set(int *p, int n) { if (n) set(p, n - 1); else *p = 1; }
static void touch(void) { g = 2; }
int printf(const char *, ...); void unknown(int *);
int f(int p) {
    int x = 0, y = 0;
    if (p)
        touch();
    if (p > 1)
        set(&x, 3);
    if (p > 2)
        printf(\"%d\", y);
    if (p > 3)
        unknown(&y);
    return x + y + g + h;
}";
    assert_eq!(could_define(source, "f", (15, "g"), (7, True)), [8]);
    assert_eq!(could_define(source, "f", (15, "h"), (7, True)), []);
    assert_eq!(could_define(source, "f", (15, "x"), (9, True)), [10]);
    assert_eq!(could_define(source, "f", (15, "g"), (9, True)), []);
    assert_eq!(could_define(source, "f", (15, "y"), (11, True)), []);
    assert_eq!(could_define(source, "f", (15, "y"), (13, True)), [14]);
}

#[test]
fn indirect_calls_reach_functions_whose_address_is_taken() {
    let source = "\
int g, h;
static void one(void) { g = 1; }
static void two(void) { h = 1; }
static void (*table[])(void) = { one };
int f(int p) {
    if (p)
        table[0]();
    two();
    return g + h;
}";
    assert_eq!(could_define(source, "f", (9, "g"), (6, True)), [7]);
    assert_eq!(could_define(source, "f", (9, "h"), (6, True)), []);
}

#[test]
fn a_variable_named_in_an_initial_value_can_be_pointed_to() {
    let source = "\
int x, y;
int *where = &x;
int f(int p) {
    if (p)
        *where = 1;
    return x + y;
}";
    assert_eq!(could_define(source, "f", (6, "x"), (4, True)), [5]);
    assert_eq!(could_define(source, "f", (6, "y"), (4, True)), []);
}

#[test]
fn other_modules_are_part_of_the_program() {
    let program = Program::of(&[
        "extern int shared; void set(int); int f(int p) {\n if (p)\n  set(1);\n return shared;\n}",
        "int shared; void set(int n) { if (n) shared = n; }",
    ]);
    let potential = program.potential();
    let (f, set) = (program.function("f"), program.function("set"));
    let user = load(&potential, &program.modules[0], f, 4, "shared");
    let places = places(&potential, f, user);
    assert_eq!(places[0].base, Base::Global(potential.variable("shared").expect("a variable")));
    let edge_in_f = edge(&potential, f, 2, True);
    assert_eq!(potential.definitions_if_taken(f, edge_in_f, &places, Use::Here(user)).len(), 1);
    // The same use, seen from the branch in the callee.
    let edge_in_set = edge(&potential, set, 1, True);
    assert_eq!(potential.definitions_if_taken(set, edge_in_set, &places, Use::Elsewhere).len(), 1);
    let other = edge(&potential, set, 1, False);
    assert_eq!(potential.definitions_if_taken(set, other, &places, Use::Elsewhere).len(), 0);
}

/// Lines of the branches that decide which definition a load reads.
fn deciding(source: &str, used: (u32, &str)) -> Vec<u32> {
    let program = Program::of(&[source]);
    let potential = program.potential();
    let function = program.function("f");
    let user = load(&potential, &program.modules[0], function, used.0, used.1);
    let places = places(&potential, function, user);
    let body = potential.function(function);
    let edges = potential.deciding_edges(function, user, &places);
    let mut lines: Vec<u32> =
        edges.iter().map(|edge| line(body, InstructionId(body.block(edge.from).end.0 - 1))).collect();
    lines.dedup();
    lines
}

/// No phi stands behind a loop that surely assigns, and yet its condition decides how often it does.
#[test]
fn a_loop_decides_how_often_it_assigns() {
    let source = "\
int f(int a) {
    int i = 0;
    do
        i++;
    while (i < a);
    return i;
}
";
    assert_eq!(deciding(source, (6, "i")), [5]);
}

/// Shaped as figure 2 of the paper about frontiers: which definition is read hangs on nested branches before.
#[test]
fn branches_decide_which_definition_is_read() {
    let source = "\
int f(int a, int b) {
    int x = 0, y = 0;
    if (a > 0) {
        if (b > 0)
            x = 1;
        y = 5;
    }
    if (b > 7)
        return x;
    return y;
}";
    assert_eq!(deciding(source, (9, "x")), [3, 4]);
    assert_eq!(deciding(source, (10, "y")), [3]);
    assert_eq!(deciding(source, (8, "b.addr")), Vec::<u32>::new());
}

#[test]
fn what_the_use_hangs_on_itself_is_left_out() {
    let source = "\
int f(int a, int n) {
    int x = 0;
    while (n--)
        if (a)
            x = x + 1;
    return x;
}";
    assert_eq!(deciding(source, (5, "x")), Vec::<u32>::new());
    assert_eq!(deciding(source, (6, "x")), [3, 4]);
}

/// All functions in all rounds, until nothing is added.
fn closed_plainly<'m>(modules: &[&'m Module]) -> Potential<'m> {
    let budget = Budget::unlimited();
    let mut potential = Potential::without_calls(modules, &budget).expect("there is no end to the budget");
    let functions: Vec<FunctionKey> = potential.all().collect();
    for round in 0.. {
        let look = |function: &FunctionKey| potential.look_again(*function, round, &budget) == Ok(true);
        let added: Vec<bool> = functions.iter().map(look).collect();
        if !added.contains(&true) {
            break;
        }
    }
    potential
}

#[test]
fn what_calls_write_is_what_plain_rounds_find() {
    let program = Program::of(&[
        "struct list { int value; struct list *next; };
int count, total; struct list *first;
void note(int n) { total += n; }
void each(struct list *l, void (*tell)(int)) { if (l) { tell(l->value); each(l->next, tell); } }
int *fifth(int *at, int depth) { *at = depth; return depth > 5 ? at : fifth(at + 1, depth + 1); }
void odd(int *a, int n); void even(int *a, int n) { if (n) { a[n] = 0; odd(a + 1, n - 1); } }
void odd(int *a, int n) { if (n) { count++; even(a + 2, n - 1); } }
int deep4(int *p) { return p[4] = 4; } int deep3(int *p) { return deep4(p + 3); } int deep2(int *p) { return deep3(p + 2); }
int deep1(int *p) { return deep2(p + 1); } int deep0(int *p) { int own[9]; return deep1(own) + deep1(p); }",
        "extern int count; void even(int *a, int n); struct list; extern struct list *first; int *fifth(int *, int);
void note(int); void each(struct list *, void (*)(int)); int deep0(int *);
int table[40];
int main(void) { each(first, note); even(table, 7); *fifth(table, 0) = count; return deep0(table + 2); }",
    ]);
    let modules: Vec<&Module> = program.modules.iter().collect();
    let (potential, plainly) = (of(&modules), closed_plainly(&modules));
    let mut written = 0;
    for function in potential.all() {
        let (fast, plain) = (&potential.facts(function).writes, &plainly.facts(function).writes);
        assert_eq!(fast, plain, "{}", potential.function(function).name);
        written += plain.len();
    }
    assert!(written > 20, "{written}");
    let main = program.function("main");
    assert!(potential.facts(main).writes.iter().any(|place| matches!(place.base, Base::Global(_))));
}

#[test]
fn of_a_function_that_writes_very_many_places_the_objects_are_known() {
    let parts = 3000;
    let assigns: String = (0..parts).map(|i| format!("table[{i}] = {i};\n")).collect();
    let source = format!(
        "int table[{parts}], other, apart;\nvoid fill(int *p) {{ {assigns} *p = other = 1; }}\n\
         int main(void) {{ int own; fill(&own); return own; }}"
    );
    let program = Program::of(&[&source]);
    let potential = program.potential();
    let (fill, main) = (program.function("fill"), program.function("main"));
    for function in [fill, main] {
        let writes = &potential.facts(function).writes;
        assert!(writes.len() <= 4, "{writes:?}");
        let is_written = |name: &str| {
            let place = Place { base: Base::Global(potential.variable(name).unwrap()), bytes: None, field: None };
            writes.iter().any(|written| potential.may_overlap(written, &place))
        };
        assert_eq!(["table", "other", "apart"].map(is_written), [true, true, false]);
    }
    let given = |place: &Place| matches!(place.base, Base::Parameter(..));
    assert!(potential.facts(fill).writes.iter().any(given));
}

#[test]
fn it_is_given_up_when_the_budget_is_spent() {
    let program = Program::of(&["int main(void) { return 0; }"]);
    let modules: Vec<&Module> = program.modules.iter().collect();
    let spent = Budget::unlimited().part(Duration::ZERO);
    assert_eq!(Potential::of(&modules, &spent).err(), Some(Spent::Time));
}

#[test]
fn a_way_could_define_what_there_are_definitions_for() {
    let program = Program::of(&["int a, b, shared; int *kept;
void keep(int *p) { kept = p; } void change(void) { *kept = 1; shared++; }
int f(int x, int *p) {
    int own = 0, other = 1;
    keep(&own);
    while (x > 0) {
        if (x == 1) a = 2; else if (x == 2) { b = 3; continue; }
        switch (x) { case 3: own = 4; break; case 4: change(); case 5: *p = 5; break; default: other = x; goto out; }
        x -= other;
    }
out:
    return a + b + own + other + shared + *p + x;
}"]);
    let (potential, f) = (program.potential(), program.function("f"));
    let body = potential.function(f);
    let (mut yes, mut no) = (0, 0);
    for edge in (0..body.blocks.len() as u32).map(BlockId).flat_map(|from| {
        let next = potential.shape(f).cfg.successors(from);
        next.iter().map(move |&to| Edge { from, to })
    }) {
        let way = potential.untaken(f, edge);
        for user in (0..body.instructions.len() as u32).map(InstructionId) {
            let Op::Load { address, .. } = &body.instruction(user).op else { continue };
            let places = potential.places(f, address, Some(body.instruction(user).ty.store_size()));
            for at in [Use::Here(user), Use::Elsewhere] {
                let is_there = !potential.definitions_if_taken(f, edge, &places, at).is_empty();
                assert_eq!(potential.could_define(&way, &places, at), is_there, "{edge:?} {user} {at:?}");
                (yes, no) = (yes + u32::from(is_there), no + u32::from(!is_there));
            }
        }
    }
    assert!(yes > 50 && no > 50, "{yes} {no}");
}

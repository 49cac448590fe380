//! Programs made by chance, each in two versions: one assignment, executed once, says something else.

/// Variables there are.
const VARIABLES: u64 = 5;
/// How deep conditions and loops are nested.
const DEEPEST: u32 = 2;

pub struct RandomProgram {
    before: String,
    /// What is assigned, in both versions.
    changed: [String; 2],
    after: String,
}

struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % bound
    }
}

impl RandomProgram {
    pub fn of(seed: u64) -> RandomProgram {
        let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let statements = |chance: &mut Chance| -> String {
            let count = 2 + chance.below(4);
            (0..count).map(|_| statement(chance, 0)).collect()
        };
        let before = statements(&mut chance);
        let target = chance.below(VARIABLES);
        let (source, right) = (chance.below(VARIABLES), 1 + chance.below(5));
        let wrong = right + 1 + chance.below(4);
        let changed = [right, wrong].map(|number| format!("v{target} = v{source} + {number}; // changed\n"));
        let after = statements(&mut chance);
        RandomProgram { before, changed, after }
    }

    /// One of the two versions.
    pub fn text(&self, version: usize) -> String {
        let names = (0..VARIABLES).map(|n| format!("v{n}"));
        let declared: Vec<String> = names.clone().zip(2..).map(|(name, value)| format!("{name} = {value}")).collect();
        let printed: String = names.map(|name| format!("printf(\"%u\\n\", {name});\n")).collect();
        format!(
            "#include <stdio.h>\nstatic unsigned t[4] = {{3, 1, 4, 1}};\n\
             static unsigned f(unsigned a, unsigned b) {{\nif (a > b)\nreturn a - b;\nreturn a * 2 + b;\n}}\n\
             int main(void) {{\nunsigned {};\n{}{}{}{printed}return 0;\n}}\n",
            declared.join(", "),
            self.before,
            self.changed[version],
            self.after
        )
    }
}

fn statement(chance: &mut Chance, depth: u32) -> String {
    let kinds = if depth < DEEPEST { 8 } else { 5 };
    let v = |chance: &mut Chance| format!("v{}", chance.below(VARIABLES));
    let (a, b, c) = (v(chance), v(chance), v(chance));
    let number = 1 + chance.below(5);
    match chance.below(kinds) {
        0 => format!("{a} = {b} + {c};\n"),
        1 => format!("{a} = {b} * {number} + 1;\n"),
        2 => format!("t[{a} % 4] = {b};\n"),
        3 => format!("{a} = t[{b} % 4] + {number};\n"),
        4 => format!("{a} = f({b}, {c});\n"),
        5 => {
            let (then, otherwise) = (block(chance, depth), block(chance, depth));
            format!("if ({a} % {} == 0) {{\n{then}}} else {{\n{otherwise}}}\n", number + 1)
        }
        6 => format!("if ({a} < {b}) {{\n{}}}\n", block(chance, depth)),
        _ => {
            let turns = format!("{a} % 3 + 1");
            let index = format!("i{depth}");
            format!(
                "for (unsigned {index} = 0, n{depth} = {turns}; {index} < n{depth}; {index}++) {{\n{}}}\n",
                block(chance, depth)
            )
        }
    }
}

fn block(chance: &mut Chance, depth: u32) -> String {
    let count = 1 + chance.below(2);
    (0..count).map(|_| statement(chance, depth + 1)).collect()
}

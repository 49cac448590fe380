//! Statements of small functions, as lists of instructions under the line they stand on.

use expect_test::{Expect, expect};

use super::{Role, Statements, role};
use crate::lower::tests::compile;
use crate::{InstructionId, Module};

fn check(source: &str, expected: Expect) {
    let module = compile("c", source);
    let function = module.functions.iter().find(|f| !f.blocks.is_empty()).expect("a function");
    let statements = Statements::of(function);
    let mut text = String::new();
    for root in statements.roots() {
        let line = statements.location(function, root).map_or(0, |location| location.line);
        text += &format!("line {line}: {root} of {:?}\n", statements.members(root));
    }
    expected.assert_eq(&text);
    each_pure_instruction_belongs_to_its_first_user(&module);
}

/// The definition, by search: follow users until an effect, and take the least.
fn each_pure_instruction_belongs_to_its_first_user(module: &Module) {
    for function in &module.functions {
        let statements = Statements::of(function);
        for (position, instruction) in function.instructions.iter().enumerate() {
            let id = InstructionId(position as u32);
            let (mut reached, mut open) = (Vec::new(), vec![id]);
            while let Some(next) = open.pop() {
                let users: Vec<InstructionId> = (0..function.instructions.len() as u32)
                    .map(InstructionId)
                    .filter(|&user| {
                        let mut uses = false;
                        let op = &function.instruction(user).op;
                        op.for_each_operand(|operand| uses |= *operand == crate::Operand::Result(next));
                        uses
                    })
                    .collect();
                let ends = function.instruction(next);
                let is_effect = role(&ends.op, &ends.ty) == Role::Effect;
                if !reached.contains(&next) {
                    reached.push(next);
                    if !is_effect {
                        open.extend(&users);
                    }
                }
            }
            let is_root = |id: &InstructionId| statements.is_root(*id);
            let expected = match role(&instruction.op, &instruction.ty) {
                Role::Effect => Some(id),
                Role::Pure => reached.iter().copied().filter(is_root).min(),
                Role::Silent => None,
            };
            assert_eq!(statements.root(id), expected, "{id} of {}", function.name);
        }
    }
}

#[test]
fn an_assignment_a_condition_and_a_return() {
    check(
        "int f(int a, int *p) {
    int x = a * 2 + p[1];
    if (x > a && a != 3)
        x = -x;
    p[x]++;
    return x;
}",
        expect![[r#"
            line 0: i3 of [i3]
            line 0: i4 of [i4]
            line 2: i11 of [i5, i6, i7, i8, i9, i10, i11]
            line 3: i15 of [i12, i13, i14, i15]
            line 3: i18 of [i16, i17, i18]
            line 4: i21 of [i19, i20, i21]
            line 5: i29 of [i23, i24, i25, i26, i27, i28, i29]
            line 6: i31 of [i30, i31]
        "#]],
    );
}

#[test]
fn a_call_among_arguments_is_a_statement() {
    check(
        "int g(int); void h(int, int);
void f(int a) {
    h(g(a + 1), a);
    (void)(a + 2);
    char copy[8] = {1};
    h(copy[0] ? a : 5, __builtin_popcount(a));
}",
        expect![[r#"
            line 0: i2 of [i2]
            line 3: i5 of [i3, i4, i5]
            line 3: i7 of [i6, i7]
            line 4: i9 of [i8, i9]
            line 5: i10 of [i10]
            line 6: i15 of [i11, i12, i13, i14, i15]
            line 6: i22 of [i16, i19, i20, i21, i22]
            line 7: i23 of [i23]
        "#]],
    );
}

//! What clang makes of C and C++.

use expect_test::{Expect, expect};

use super::compile;

fn check(language: &str, source: &str, function: &str, expected: Expect) {
    let module = compile(language, source);
    let id = module.functions.iter().find(|f| f.name == function).expect("the function is there").id;
    expected.assert_eq(&module.function_text(id).to_string());
}

#[test]
fn a_loop() {
    check(
        "c",
        "int sum(const int *a, unsigned n) {
    int total = 0;
    for (unsigned i = 0; i < n; i++)
        total += a[i];
    return total;
}",
        "sum",
        expect![[r#"
            fn0 @sum(p0 ptr %a, p1 i32 %n) i32 open type 0x7 logs frame    ; <stdin>:1
            bb0 entry:
              i0   %a.addr = alloca ptr, 8 bytes * 1, frame+0
              i1   %n.addr = alloca i32, 4 bytes * 1, frame+16
              i2   %total = alloca i32, 4 bytes * 1, frame+32
              i3   %i = alloca i32, 4 bytes * 1, frame+48
              i4   store ptr p0 to i0 ticks
              i5   store i32 p1 to i1 ticks
              i6   store i32 0 to i2 ticks    ; <stdin>:2:9
              i7   store i32 0 to i3 ticks    ; <stdin>:3:19
              i8   jump bb1    ; <stdin>:3:10
            bb1 for.cond:
              i9   i9 = load i32 i3    ; <stdin>:3:26
              i10  i10 = load i32 i1    ; <stdin>:3:30
              i11  %cmp = icmp ult i32 i9, i10    ; <stdin>:3:28
              i12  branch i11, bb2, bb4 ticks hashes    ; <stdin>:3:5
            bb2 for.body:
              i13  i13 = load ptr i0    ; <stdin>:4:18
              i14  i14 = load i32 i3    ; <stdin>:4:20
              i15  %idxprom = zext i32 i14 to i64    ; <stdin>:4:18
              i16  %arrayidx = element i13+0 + i64 i15 * 4    ; <stdin>:4:18
              i17  i17 = load i32 i16    ; <stdin>:4:18
              i18  i18 = load i32 i2    ; <stdin>:4:15
              i19  %add = add i32 i18, i17    ; <stdin>:4:15
              i20  store i32 i19 to i2 ticks    ; <stdin>:4:15
              i21  jump bb3    ; <stdin>:4:9
            bb3 for.inc:
              i22  i22 = load i32 i3    ; <stdin>:3:34
              i23  %inc = add i32 i22, 1    ; <stdin>:3:34
              i24  store i32 i23 to i3 ticks    ; <stdin>:3:34
              i25  jump bb1    ; <stdin>:3:5
            bb4 for.end:
              i26  i26 = load i32 i2    ; <stdin>:5:12
              i27  return i26    ; <stdin>:5:5
        "#]],
    );
}

#[test]
fn a_struct_passed_by_value_and_a_long_double() {
    check(
        "c",
        "struct big { long a[4]; };
long double f(struct big b, long double x) { return x * b.a[1] + 0.1L; }",
        "f",
        expect![[r#"
            fn0 @f(p0 ptr by value %b, p1 x87 %x) x87 open type 0x7 logs frame    ; <stdin>:2
            bb0 entry:
              i0   %x.addr = alloca x87, 16 bytes * 1, frame+0
              i1   store x87 p1 to i0 ticks
              i2   i2 = load x87 i0    ; <stdin>:2:53
              i3   %a = element p0+0    ; <stdin>:2:59
              i4   %arrayidx = element i3+8    ; <stdin>:2:57
              i5   i5 = load i64 i4    ; <stdin>:2:57
              i6   %conv = sitofp i64 i5 to x87    ; <stdin>:2:57
              i7   i7 = call logged x87 @llvm.fmuladd.f80(x87 i2, x87 i6, x87 0x3ffbcccccccccccccccd)    ; <stdin>:2:64
              i8   return i7    ; <stdin>:2:46
        "#]],
    );
}

#[test]
fn inlined_code_keeps_its_own_lines() {
    check(
        "c",
        "__attribute__((always_inline)) static inline int twice(int x) {
    return x * 2;
}
int f(int y) {
    return twice(y);
}",
        "f",
        expect![[r#"
            fn0 @f(p0 i32 %y) i32 open type 0x7 logs frame    ; <stdin>:4
            bb0 entry:
              i0   %x.addr.i = alloca i32, 4 bytes * 1, frame+0
              i1   %y.addr = alloca i32, 4 bytes * 1, frame+16
              i2   store i32 p0 to i1 ticks
              i3   i3 = load i32 i1    ; <stdin>:5:18
              i4   store i32 i3 to i0 ticks
              i5   i5 = load i32 i0    ; <stdin>:2:12
              i6   %mul.i = mul i32 i5, 2    ; <stdin>:2:14
              i7   return i6    ; <stdin>:5:5
        "#]],
    );
}

/// Every odd corner of the languages that yields an unusual instruction or constant.
#[test]
fn a_choice_stands_where_its_condition_does() {
    let source = "int f(int x, int y) {\n    if (x > 3\n        && (y < 4\n            || y == 7))\n        return 1;\n    return 2;\n}\n";
    let module = compile("c", source);
    let function = module.functions.iter().find(|f| f.name == "f").expect("f");
    let choices = function.instructions.iter().filter(|i| matches!(i.op, crate::Op::Branch { .. }));
    let lines: Vec<u32> = choices.filter_map(|choice| Some(choice.location?.line)).collect();
    assert_eq!(lines, [2, 3, 4]);
}

#[test]
fn corners_of_c_lower() {
    let module = compile(
        "c",
        r#"
        #include <setjmp.h>
        #include <stdarg.h>
        #include <stdatomic.h>
        #include <stdio.h>
        #include <string.h>
        #include <complex.h>
        typedef int v4 __attribute__((vector_size(16)));
        typedef float f4 __attribute__((vector_size(16)));
        typedef _Bool b8 __attribute__((ext_vector_type(8)));
        static _Thread_local int local;
        extern struct opaque there;
        jmp_buf env;
        int variadic(int n, ...) { va_list l; va_start(l, n); int r = va_arg(l, int); double d = va_arg(l, double);
            long double ld = va_arg(l, long double); va_end(l); return r + d + ld; }
        v4 vectors(v4 a, v4 b, int i) { a[i] = b[0]; return ((a < b) & a) | __builtin_shufflevector(a, b, 0, 5, 2, -1); }
        f4 floats(f4 a) { return __builtin_convertvector(__builtin_convertvector(a, v4), f4) * 2.0f; }
        b8 bools(b8 a, b8 b) { return a & ~b; }
        __int128 wide(__int128 a, unsigned __int128 b) { return a * 3 + b / 7 + ((__int128)1 << 100); }
        _BitInt(37) odd(_BitInt(37) a) { return a * a - 1; }
        double _Complex complexes(double _Complex a) { return a * a; }
        _Float16 halves(_Float16 a) { return a + (_Float16)1.5; }
        __float128 quads(__float128 a) { return a * 1.1Q; }
        int atomics(_Atomic int *p, int *q) { int e = 1; atomic_compare_exchange_strong(p, &e, 2);
            atomic_thread_fence(memory_order_seq_cst); return atomic_fetch_add(p, 3) + __sync_fetch_and_nand(q, 1) + *p; }
        int jumps(void) { if (setjmp(env)) return 1; longjmp(env, 1); }
        int assembly(int x) { __asm__ volatile("" : "+r"(x) : : "memory"); return x; }
        int vla(int n) { int a[n]; memset(a, 0, sizeof a); return a[n - 1]; }
        int *tls(void) { return &local; }
        void *opaque(void) { return &there; }
        int choose(long x) { switch (x) { case -1: return 1; case 1 ... 9: return 2; case 0x7fffffffffffffff: return 3; default: return 4; } }
        int builtins(unsigned x, double d) { int r; return __builtin_popcount(x) + __builtin_clz(x) + __builtin_add_overflow(x, 1, &r)
            + __builtin_fabs(d) + __builtin_bswap32(x) + __builtin_expect(x > 3, 0) + __builtin_isnan(d); }
        struct bits { int a : 3; unsigned b : 17; } fields(struct bits s) { s.a = 2; s.b++; return s; }
        const char *names[] = { "a", "b" };
        const char *name(int i) { return i < 0 ? &"literal"[3] : names[i]; }
        int main(int argc, char **argv) { printf("%Lf %s\n", (long double)argc, argv[0]); return (long)&argc == (long)main; }
        "#,
    );
    assert!(module.functions.iter().filter(|f| !f.instructions.is_empty()).count() >= 20);
}

#[test]
fn corners_of_cpp_lower() {
    let module = compile(
        "c++",
        r#"
        #include <algorithm>
        #include <functional>
        #include <iostream>
        #include <map>
        #include <memory>
        #include <mutex>
        #include <regex>
        #include <sstream>
        #include <string>
        #include <thread>
        #include <vector>
        struct base { virtual ~base() {} virtual int f() { return 1; } int member; };
        struct derived : virtual base { int f() override { return 2; } };
        int (base::*pointer)() = &base::f;
        int base::*data_pointer = &base::member;
        thread_local std::string per_thread = "x";
        int call(base &b) { return (b.*pointer)() + b.*data_pointer + (dynamic_cast<derived *>(&b) != nullptr); }
        int caught() { try { throw std::runtime_error("x"); } catch (const std::exception &e) { return 1; } catch (...) { throw; } }
        int main(int argc, char **argv) {
            std::map<std::string, std::vector<int>> m;
            m["a"].push_back(argc);
            std::sort(m["a"].begin(), m["a"].end(), [&](int a, int b) { return a < b; });
            std::function<int(int)> f = [&](int x) { return x + (int)m.size(); };
            auto p = std::make_shared<derived>();
            std::thread t([&] { per_thread += "y"; });
            t.join();
            static std::once_flag once;
            std::call_once(once, [] {});
            std::ostringstream out;
            out << std::regex_replace(std::string(argv[0]), std::regex("a+"), "b") << f(3) << call(*p);
            return out.str().size();
        }
        "#,
    );
    assert!(module.functions.iter().filter(|f| !f.instructions.is_empty()).count() >= 500);
    // The text is made of everything there is, without a panic.
    assert!(module.to_string().lines().count() > 10_000);
}

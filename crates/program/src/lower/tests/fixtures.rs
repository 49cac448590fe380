//! Written IR, marked by hand.

use expect_test::{Expect, expect};

use super::{lower_text, through};
use crate::{LowerError, lower_saved};

fn check(ir: &str, expected: Expect) {
    let module = lower_text(ir).unwrap_or_else(|error| panic!("{error}"));
    expected.assert_eq(&module.to_string());
}

/// The body of one open function with an `i32 %a` and a `ptr %p`, and what is said against it.
fn check_refused(body: &str, expected: Expect) {
    let ir = format!(
        r#"
        declare i32 @outside(i32)
        declare i64 @llvm.readcyclecounter()
        define void @f(i32 %a, ptr %p) "faultline"="open" "faultline-type"="1" {{
        {body}
        }}
        !0 = !{{i32 1, i64 0}} ; local
        !1 = !{{i32 4, i64 0}} ; logged
        !2 = !{{i32 5, i64 9}} ; open
        !3 = !{{i32 6, i64 0}} ; closed
        !4 = !{{i32 77, i64 0}}
        !5 = !{{!"text", i64 0}}
        "#
    );
    let error = lower_text(&ir).map(|module| module.to_string()).expect_err("the fixture is wrong");
    expected.assert_eq(&error.to_string());
}

#[test]
fn storage_and_probes() {
    check(
        r#"
        declare i32 @outside(i32, ...)
        declare i32 @llvm.ctpop.i32(i32)
        declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
        declare void @llvm.trap() noreturn
        @other = alias i32 (i32), ptr @callee

        define internal i32 @callee(i32 %n) "faultline"="closed" "faultline-type"="513" {
        entry:
          %x = alloca i32, !faultline !0
          store i32 %n, ptr %x, !faultline !8
          %0 = load i32, ptr %x
          ret i32 %0
        }

        define void @f(i32 %a, ptr byval({i64, i64, i64}) %s, ptr %p) "faultline"="open" "faultline-type"="70000" "faultline-frame" {
        entry:
          %array = alloca [3 x i16], i32 2, !faultline !1
          %vla = alloca i8, i32 %a, !faultline !2
          %0 = load i32, ptr %array, !faultline !3
          %1 = call i32 (i32, ...) @outside(i32 %0, double 1.5), !faultline !4
          %2 = call i32 @callee(i32 %1), !faultline !5
          %3 = call i32 %p(i32 %2), !faultline !4
          %4 = call i32 @other(i32 %2), !faultline !4
          %5 = call i32 @llvm.ctpop.i32(i32 %3)
          call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %s, i64 24, i1 false), !faultline !8
          %6 = call i32 asm "nop", "=r"(), !faultline !3
          %old = atomicrmw add ptr %p, i32 1 seq_cst, !faultline !3
          %pair = cmpxchg ptr %p, i32 1, i32 2 seq_cst seq_cst, !faultline !3
          fence seq_cst
          %again = call i32 @outside(i32 1) returns_twice, !faultline !6
          %c = icmp ult i32 %5, 10
          br i1 %c, label %small, label %large, !faultline !9
        small:
          ret void
        large:
          call void @llvm.trap()
          unreachable
        }

        define void @not_ours(i32 %a) {
          ret void
        }

        !faultline.limits = !{!10}
        !0 = !{i32 1, i64 0}
        !1 = !{i32 2, i64 48}
        !2 = !{i32 3, i64 0}
        !3 = !{i32 4, i64 0}
        !4 = !{i32 5, i64 513}
        !5 = !{i32 6, i64 513}
        !6 = !{i32 7, i64 0}
        !8 = !{i32 256, i64 0}
        !9 = !{i32 768, i64 0}
        !10 = !{!"`g` uses a computed goto"}
        "#,
        expect![[r#"
            module abababab <stdin>
            limit: `g` uses a computed goto

            fn4 @callee(p0 i32 %n) i32 closed type 0x201
            bb0 entry:
              i0   %x = alloca i32, 4 bytes * 1, local
              i1   store i32 p0 to i0 local ticks
              i2   i2 = load i32 i0 local
              i3   return i2

            fn5 @f(p0 i32 %a, p1 ptr by value %s, p2 ptr %p) void open type 0x11170 logs frame
            bb0 entry:
              i0   %array = alloca [3 x i16], 6 bytes * 2, frame+48
              i1   %vla = alloca i8, 1 bytes * p0, dynamic
              i2   i2 = load i32 i0
              i3   i3 = call open i32 @outside(i32 i2, double 1.5) type 0x201
              i4   i4 = call closed i32 @callee(i32 i3) type 0x201
              i5   i5 = call open i32 p2(i32 i4) type 0x201
              i6   i6 = call open i32 @other(i32 i4) type 0x201
              i7   i7 = call computed i32 @llvm.ctpop.i32(i32 i5)
              i8   call memory void @llvm.memcpy.p0.p0.i64(ptr p2, ptr p1, i64 24, i1 0) ticks
              i9   i9 = call logged i32 assembly()
              i10  %old = atomic add i32 p2, 1
              i11  %pair = atomic compare i32 p2, 1, 2
              i12  fence
              i13  %again = call setjmp i32 @outside(i32 1)
              i14  %c = icmp ult i32 i7, 10
              i15  branch i14, bb1, bb2 ticks hashes
            bb1 small:
              i16  return
            bb2 large:
              i17  call logged void @llvm.trap() never returns
              i18  unreachable
        "#]],
    );
}

#[test]
fn constants() {
    check(
        r#"
        target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
        %pair = type { i8, [4 x { i32, i64 }] }
        @g = global %pair zeroinitializer
        @h = external global i8
        declare void @sink(...)
        define dso_local void @f() "faultline"="open" "faultline-type"="1" {
          call void (...) @sink(i1 true, i8 -1, i64 -9223372036854775808, i128 -2, i128 18446744073709551616, i65 -1), !faultline !0
          call void (...) @sink(float 0x36A0000000000000, float 0x7FF4000020000000, float 1.5, double 0xFFF8000000000001), !faultline !0
          call void (...) @sink(x86_fp80 0xK3FFF8000000000000001, fp128 0xL00000000000000013FFF000000000000), !faultline !0
          call void (...) @sink(half 0xH3C01, bfloat 0xR3F81), !faultline !0
          call void (...) @sink(ptr null, ptr undef, i32 poison, {i32, ptr} zeroinitializer), !faultline !0
          call void (...) @sink(ptr @g, ptr @sink, ptr getelementptr (%pair, ptr @g, i64 1, i32 1, i64 2, i32 1)), !faultline !0
          call void (...) @sink(i64 sub (i64 ptrtoint (ptr @h to i64), i64 ptrtoint (ptr @g to i64))), !faultline !0
          call void (...) @sink(i32 trunc (i64 ptrtoint (ptr @h to i64) to i32), ptr inttoptr (i64 16 to ptr)), !faultline !0
          call void (...) @sink({i8, ptr} {i8 1, ptr @h}, [2 x i16] [i16 1, i16 2], <4 x i32> splat (i32 7), <2 x i1> <i1 1, i1 0>), !faultline !0
          call void (...) @sink(ptr dso_local_equivalent @f, ptr no_cfi @f), !faultline !0
          ret void
        }
        !0 = !{i32 5, i64 1}
        "#,
        expect![[r#"
            module abababab <stdin>

            fn1 @f() void open type 0x1
            bb0 :
              i0   call open void @sink(i1 1, i8 -1, i64 -9223372036854775808, i128 0xfffffffffffffffffffffffffffffffe, i128 0x00000000000000010000000000000000, i65 0x01ffffffffffffffff) type 0x1
              i1   call open void @sink(float 1e-45, float 0x7fa00001, float 1.5, double 0xfff8000000000001) type 0x1
              i2   call open void @sink(x87 0x3fff8000000000000001, quad 0x3fff0000000000000000000000000001) type 0x1
              i3   call open void @sink(half 0x3c01, bfloat 0x3f81) type 0x1
              i4   call open void @sink(ptr null, ptr null, i32 0, {i32, ptr} zero) type 0x1
              i5   call open void @sink(ptr @g, ptr @sink, ptr @g+120) type 0x1
              i6   call open void @sink(i64 sub(ptrtoint(ptr @h), ptrtoint(ptr @g))) type 0x1
              i7   call open void @sink(i32 ptrtoint(ptr @h), ptr inttoptr(i64 16)) type 0x1
              i8   call open void @sink({i8, ptr} {i8 1, ptr @h}, [2 x i16] {i16 1, i16 2}, <4 x i32> {i32 7, i32 7, i32 7, i32 7}, <2 x i1> {i1 1, i1 0}) type 0x1
              i9   call open void @sink(ptr @f, ptr @f) type 0x1
              i10  return
        "#]],
    );
}

#[test]
fn paths_and_shapes() {
    check(
        r#"
        target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
        %pair = type { i8, [4 x { i32, i64 }] }
        declare i32 @__gxx_personality_v0(...)
        declare void @may_throw()
        define void @f(i32 %a, i64 %b, ptr %p, {i32, [2 x i8]} %s, <4 x i32> %v, x86_fp80 %l) "faultline"="open" "faultline-type"="1" personality ptr @__gxx_personality_v0 {
        entry:
          %field = getelementptr %pair, ptr %p, i64 -1, i32 1, i64 %b, i32 1
          %two = getelementptr [5 x i16], ptr %p, i32 %a, i64 %b
          %x = extractvalue {i32, [2 x i8]} %s, 1, 1
          %y = insertvalue {i32, [2 x i8]} %s, i8 %x, 1, 0
          %e = extractelement <4 x i32> %v, i32 %a
          %w = insertelement <4 x i32> %v, i32 %e, i64 2
          %m = shufflevector <4 x i32> %v, <4 x i32> %w, <2 x i32> <i32 7, i32 poison>
          %lt = fcmp olt x86_fp80 %l, 0xK3FFF8000000000000000
          %n = fneg x86_fp80 %l
          %k = sext i32 %a to i128
          %q = addrspacecast ptr %p to ptr addrspace(257)
          %r = select i1 %lt, i128 %k, i128 1
          %z = freeze i128 %r
          switch i32 %a, label %end [ i32 -1, label %try
                                      i32 5, label %end ]
        try:
          invoke void @may_throw() to label %end unwind label %pad, !faultline !0
        pad:
          %landed = landingpad {ptr, i32} cleanup, !faultline !1
          resume {ptr, i32} %landed
        end:
          %phi = phi i32 [ 1, %entry ], [ 1, %entry ], [ %a, %try ]
          ret void
        }
        !0 = !{i32 5, i64 1}
        !1 = !{i32 8, i64 0}
        "#,
        expect![[r#"
            module abababab <stdin>

            fn2 @f(p0 i32 %a, p1 i64 %b, p2 ptr %p, p3 {i32, [2 x i8]} %s, p4 <4 x i32> %v, p5 x87 %l) void open type 0x1
            bb0 entry:
              i0   %field = element p2-56 + i64 p1 * 16
              i1   %two = element p2+0 + i32 p0 * 10 + i64 p1 * 2
              i2   %x = extract {i32, [2 x i8]} p3 at [1, 1]
              i3   %y = insert i8 i2 into {i32, [2 x i8]} p3 at [1, 0]
              i4   %e = extract <4 x i32> p4 at p0
              i5   %w = insert i4 into <4 x i32> p4 at 2
              i6   %m = shuffle <4 x i32> p4, i5, [7, _]
              i7   %lt = fcmp olt x87 p5, 0x3fff8000000000000000
              i8   %n = fneg x87 p5
              i9   %k = sext i32 p0 to i128
              i10  %q = bitcast ptr p2 to ptr
              i11  %r = select i1 i7, i128 i9, 0x00000000000000000000000000000001
              i12  %z = freeze i128 i11
              i13  switch i32 p0, default bb3, 4294967295: bb1, 5: bb3
            bb1 try:
              i14  invoke open void @may_throw() type 0x1 to bb3 unwind bb2
            bb2 pad:
              i15  %landed = landing pad {ptr, i32}
              i16  resume i15
            bb3 end:
              i17  %phi = phi i32 bb0: 1, bb0: 1, bb1: p0
              i18  return
        "#]],
    );
}

#[test]
fn sites_that_contradict_their_probes() {
    check_refused("%x = alloca i32\n ret void", expect!["in function `f` at i0: a probe is missing on an alloca"]);
    check_refused(
        "%x = alloca i32, !faultline !1\n ret void",
        expect!["in function `f` at i0: the probe Logged contradicts an alloca"],
    );
    check_refused(
        "%x = load i32, ptr %p\n ret void",
        expect!["in function `f` at i0: a probe is missing on a load from memory"],
    );
    check_refused(
        "%x = alloca i32, !faultline !0\n %y = load i32, ptr %x, !faultline !1\n ret void",
        expect!["in function `f` at i1: the probe Logged contradicts a load of a local"],
    );
    check_refused(
        "%x = call i32 @outside(i32 1)\n ret void",
        expect!["in function `f` at i0: a probe is missing on a call"],
    );
    check_refused(
        "%x = call i32 @outside(i32 1), !faultline !3\n ret void",
        expect!["in function `f` at i0: the probe Closed contradicts a call of a function that is not instrumented"],
    );
    check_refused(
        "%x = call i64 @llvm.readcyclecounter()\n ret void",
        expect!["in function `f` at i0: a probe is missing on a call of an intrinsic or of inline assembly"],
    );
    check_refused(
        "%x = call i64 @llvm.readcyclecounter(), !faultline !2\n ret void",
        expect!["in function `f` at i0: the probe Open contradicts a call of an intrinsic or of inline assembly"],
    );
    check_refused(
        "%x = add i32 %a, 1, !faultline !1\n ret void",
        expect!["in function `f` at i0: the probe Logged contradicts a computation"],
    );
    check_refused(
        "%x = add i32 %a, 1, !faultline !4\n ret void",
        expect!["in function `f` at i0: the probe is malformed: [77, 0]"],
    );
    check_refused(
        "%x = add i32 %a, 1, !faultline !5\n ret void",
        expect!["in function `f` at i0: the probe is malformed: []"],
    );
    check_refused(
        "%x = va_arg ptr %p, i32\n ret void",
        expect!["in function `f` at i0: the instruction LLVMVAArg is not supported"],
    );
    check_refused(
        "indirectbr ptr blockaddress(@f, %b), [label %b]\n b: ret void",
        expect!["in function `f` at i0: the instruction LLVMIndirectBr is not supported"],
    );
    check_refused(
        "store ptr blockaddress(@f, %b), ptr %p\n br label %b\n b: ret void",
        expect!["in function `f` at i0: the constant `ptr blockaddress(@f, %b)` is not supported"],
    );
    check_refused(
        "%x = load <vscale x 4 x i32>, ptr %p, !faultline !1\n ret void",
        expect!["in function `f` at i0: values of type `<vscale x 4 x i32>` are not supported"],
    );
}

#[test]
fn functions_that_contradict_their_attributes() {
    let refused = |ir: &str, expected: Expect| {
        let error = lower_text(ir).map(|module| module.to_string()).expect_err("the fixture is wrong");
        expected.assert_eq(&error.to_string());
    };
    refused(
        r#"define void @f() "faultline"="ajar" { ret void }"#,
        expect![[r#"in function `f`: the attribute `faultline` is missing or malformed: Some("ajar")"#]],
    );
    refused(
        r#"define void @f() "faultline"="open" { ret void }"#,
        expect!["in function `f`: the attribute `faultline-type` is missing or malformed: None"],
    );
    refused(
        r#"define void @f() "faultline"="open" "faultline-type"="x" { ret void }"#,
        expect![[r#"in function `f`: the attribute `faultline-type` is missing or malformed: Some("x")"#]],
    );
    refused(
        r#"declare void @f() "faultline"="open""#,
        expect!["in function `f`: it is marked as instrumented but has no body"],
    );
}

#[test]
fn saved_records() {
    let ir = r#"define void @f() "faultline"="open" "faultline-type"="1" { ret void }"#;
    let bitcode = through("llvm-as-19", &["-o", "-"], ir.as_bytes());
    let stored = zstd::bulk::compress(&bitcode, 1).expect("compression in memory");
    let hash: [u8; 16] = *blake3::hash(&bitcode).as_bytes().first_chunk().expect("a hash is longer");
    let header = abi::IrHeader {
        version: abi::VERSION,
        module: hash,
        raw_length: bitcode.len() as u64,
        stored_length: stored.len() as u64,
    };
    let record = |header: abi::IrHeader| [&header.encode()[..], &stored, &[0; 5]].concat();

    let module = lower_saved(&record(header)).expect("the record is whole");
    assert_eq!(module.id.0, hash);
    assert_eq!(module.functions.len(), 1);

    assert!(matches!(lower_saved(b"something else"), Err(LowerError::NotSavedIr)));
    let whole = record(header);
    assert!(matches!(lower_saved(&whole[..whole.len() - 10]), Err(LowerError::Truncated)));
    let misnamed = abi::IrHeader { module: [7; 16], ..header };
    assert!(matches!(lower_saved(&record(misnamed)), Err(LowerError::Damaged)));
    let boasting = abi::IrHeader { raw_length: u64::MAX, ..header };
    assert!(matches!(lower_saved(&record(boasting)), Err(LowerError::Damaged)));
    let boasting = abi::IrHeader { raw_length: 1 << 30, ..header };
    assert!(matches!(lower_saved(&record(boasting)), Err(LowerError::Truncated)));
    let later = abi::IrHeader { version: 99, ..header };
    let error = lower_saved(&record(later)).map(|_| ()).expect_err("a version from the future");
    expect!["the IR in this binary has version 99, but this faultline reads version 7: rebuild the program with the faultline-cc that belongs to this faultline"].assert_eq(&error.to_string());
}

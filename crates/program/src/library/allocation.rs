//! Memory taken and given back.

use super::effect::{Effect::*, Known, Term::*, f};

pub const TABLE: &[Known] = &[
    f("__strdup", &[Reads(Arg(0), Text), Allocates(Text), Copies(Result, Arg(0), Text)]),
    f("__strndup", &[Reads(Arg(0), TextWithin(&Arg(1))), Allocates(Text), Copies(Result, Arg(0), TextWithin(&Arg(1)))]),
    f("aligned_alloc", &[Allocates(Arg(1))]),
    f("calloc", &[Allocates(Product(&Arg(0), &Arg(1))), Writes(Result, Product(&Arg(0), &Arg(1)))]),
    f("cfree", &[Frees(Arg(0))]),
    f("free", &[Frees(Arg(0))]),
    f("malloc", &[Allocates(Arg(0))]),
    f("malloc_usable_size", &[]),
    f("memalign", &[Allocates(Arg(1))]),
    f("mmap", &[Allocates(Arg(1)), Writes(Result, Arg(1))]),
    f("mmap64", &[Allocates(Arg(1)), Writes(Result, Arg(1))]),
    f("mprotect", &[]),
    f("mremap", &[Frees(Arg(0)), Allocates(Arg(2)), Copies(Result, Arg(0), Least(&Arg(1), &Arg(2)))]),
    f("munmap", &[Frees(Arg(0))]),
    f("posix_memalign", &[Writes(Arg(0), Bytes(8)), Allocates(Arg(2))]),
    f("realloc", &[Frees(Arg(0)), Allocates(Arg(1)), Copies(Result, Arg(0), Arg(1))]),
    f(
        "reallocarray",
        &[Frees(Arg(0)), Allocates(Product(&Arg(1), &Arg(2))), Copies(Result, Arg(0), Product(&Arg(1), &Arg(2)))],
    ),
    f("sbrk", &[Allocates(Arg(0))]),
    f("strdup", &[Reads(Arg(0), Text), Allocates(Text), Copies(Result, Arg(0), Text)]),
    f("strndup", &[Reads(Arg(0), TextWithin(&Arg(1))), Allocates(Text), Copies(Result, Arg(0), TextWithin(&Arg(1)))]),
    f("valloc", &[Allocates(Arg(0))]),
    f("wcsdup", &[Reads(Arg(0), WideText), Allocates(WideText), Copies(Result, Arg(0), WideText)]),
];

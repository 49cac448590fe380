//! Functions of the C library by what they write through their arguments. None of these keeps a pointer it was given.
//!
//! Only for what static analysis must assume; what outside code really wrote in a run is seen by the replay.

/// Through which arguments a function writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// Those at these positions.
    At(&'static [usize]),
    /// All from this position on.
    From(usize),
}

const NOTHING: Written = Written::At(&[]);
const FIRST: Written = Written::At(&[0]);
const SECOND: Written = Written::At(&[1]);

/// What is known of an outside function; none: it may write through all arguments and keep them.
pub(super) fn known(name: &str) -> Option<Written> {
    Some(match name {
        "printf" | "fprintf" | "vprintf" | "vfprintf" | "dprintf" | "puts" | "putchar" | "putc" | "fputc" | "fputs"
        | "fwrite" | "fflush" | "fclose" | "fopen" | "fdopen" | "fseek" | "ftell" | "rewind" | "feof" | "ferror"
        | "clearerr" | "fileno" | "getc" | "fgetc" | "getchar" | "ungetc" | "perror" | "remove" | "rename" => NOTHING,
        "strlen" | "strnlen" | "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" | "strcoll" | "strchr"
        | "strrchr" | "strstr" | "strpbrk" | "strspn" | "strcspn" | "strdup" | "strndup" | "memcmp" | "memchr"
        | "strerror" => NOTHING,
        "atoi" | "atol" | "atoll" | "atof" | "abs" | "labs" | "llabs" | "rand" | "srand" | "getenv" => NOTHING,
        "isalnum"
        | "isalpha"
        | "iscntrl"
        | "isdigit"
        | "isgraph"
        | "islower"
        | "isprint"
        | "ispunct"
        | "isspace"
        | "isupper"
        | "isxdigit"
        | "tolower"
        | "toupper"
        | "__ctype_b_loc"
        | "__ctype_tolower_loc"
        | "__ctype_toupper_loc"
        | "__errno_location" => NOTHING,
        "malloc" | "calloc" | "realloc" | "free" | "_Znwm" | "_Znam" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" => NOTHING,
        "exit" | "_exit" | "abort" | "__assert_fail" | "open" | "close" | "write" | "lseek" | "unlink" => NOTHING,
        "sin" | "cos" | "tan" | "atan" | "atan2" | "exp" | "log" | "log10" | "pow" | "sqrt" | "floor" | "ceil"
        | "fabs" | "fmod" => NOTHING,
        "sprintf" | "snprintf" | "vsprintf" | "vsnprintf" | "strcpy" | "strncpy" | "stpcpy" | "strcat" | "strncat"
        | "memcpy" | "memmove" | "memset" | "bzero" | "fgets" | "fread" | "time" => FIRST,
        "read" | "recv" | "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtod" | "strtof" | "strtold" | "frexp"
        | "modf" | "stat" | "fstat" | "lstat" => SECOND,
        "scanf" => Written::From(1),
        "fscanf" | "sscanf" => Written::From(2),
        _ => return None,
    })
}

impl Written {
    pub fn includes(self, position: usize) -> bool {
        match self {
            Written::At(positions) => positions.contains(&position),
            Written::From(first) => position >= first,
        }
    }
}

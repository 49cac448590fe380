//! Everything but the scratch directory read-only, in a namespace of mounts of the run's own: not even modes, owners and
//! times of the user's files can be changed. `/proc` does not show the processes of others.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

/// What is to be mounted, made before the fork.
pub struct Mounts {
    scratch: CString,
}

/// What `mount_setattr` is told.
#[repr(C)]
struct Attributes {
    set: u64,
    clear: u64,
    propagation: u64,
    namespace: u64,
}

const READ_ONLY: u64 = 1;
const NO_SETUID: u64 = 2;
const OPEN_TREE_CLONE: libc::c_uint = 1;
const MOVE_FROM_DESCRIPTOR: libc::c_uint = 4;

impl Mounts {
    pub fn new(scratch: &Path) -> io::Result<Mounts> {
        Ok(Mounts { scratch: CString::new(scratch.canonicalize()?.as_os_str().as_bytes())? })
    }

    /// Only calls that are safe after a fork. In a new namespace of mounts, with rights over it.
    pub fn apply(&self) -> Result<(), i32> {
        // SAFETY: system calls on strings that have their end and on memory of this stack.
        unsafe {
            // Nothing of it is to be seen outside.
            set_attributes(Attributes { set: 0, clear: 0, propagation: libc::MS_PRIVATE, namespace: 0 })?;
            let flags = OPEN_TREE_CLONE | libc::O_CLOEXEC as libc::c_uint;
            let scratch = libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, self.scratch.as_ptr(), flags) as i32;
            check(scratch)?;
            set_attributes(Attributes { set: READ_ONLY | NO_SETUID, clear: 0, propagation: 0, namespace: 0 })?;
            let (here, empty) = (libc::AT_FDCWD, c"".as_ptr());
            let moved =
                libc::syscall(libc::SYS_move_mount, scratch, empty, here, self.scratch.as_ptr(), MOVE_FROM_DESCRIPTOR);
            check(moved as i32)?;
            libc::close(scratch);
            // Where the kernel does not let us, the one there is stays, read-only.
            let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_RDONLY;
            let kind = c"proc".as_ptr();
            if libc::mount(kind, c"/proc".as_ptr(), kind, flags, c"subset=pid".as_ptr().cast()) != 0 {
                libc::mount(kind, c"/proc".as_ptr(), kind, flags, ptr::null());
            }
        }
        Ok(())
    }
}

/// Of all mounts there are.
unsafe fn set_attributes(attributes: Attributes) -> Result<(), i32> {
    const AT_RECURSIVE: libc::c_uint = 0x8000;
    let root = c"/".as_ptr();
    // SAFETY: the memory is as long as that.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            root,
            AT_RECURSIVE,
            &raw const attributes,
            size_of::<Attributes>(),
        )
    };
    check(done as i32)
}

fn check(result: i32) -> Result<(), i32> {
    // SAFETY: reads the thread's errno.
    if result < 0 { Err(unsafe { *libc::__errno_location() }) } else { Ok(()) }
}

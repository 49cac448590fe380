//! Programs that run, are interrupted and end in every way we know of; what is recorded of them is all there.

mod support;

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use abi::{ModuleId, Tag};
use object::{Object, ObjectSymbol};
use recording::record::{Options, RecordError, record};
use recording::{Ending, Recording};
use support::{Expected, program, run_recorded, run_with};

/// `work` of the test program: entered once, then that many numbers.
fn work(entry: u64, count: u64) -> Expected {
    let mut expected = Expected::default();
    expected.entered(entry);
    (0..count).for_each(|number| {
        expected.step(number);
    });
    expected
}

#[test]
fn a_run_that_exits_is_recorded_whole() {
    let run = run_recorded("count", 300_000);
    assert_eq!(run.recorded.exit_status, 3);
    let end = run.recording.end().unwrap();
    assert_eq!(end.ending, Ending::Exited { status: 3 });
    assert_eq!(*end, run.recorded.end);
    assert_eq!(run.recording.case().arguments, ["count", "300000"]);
    assert_eq!(run.recording.case().program, program("by_hand"));

    let [module] = run.recording.modules() else { panic!("one module") };
    assert_eq!(module.id, ModuleId(*b"by hand by hand!"));
    assert_eq!(module.addresses, [0x1111, 0x2222, 0x3333]);
    assert_eq!(module.file, program("by_hand"));
    assert!(run.recording.saved_ir(module.id).unwrap().ends_with(b"not bitcode.."));
    assert_eq!(run.recording.functions().len(), 10);

    let [stream] = run.recording.streams() else { panic!("one stream") };
    let expected = work(run.entry(0), 300_000);
    assert!(run.stream(0) == expected.bytes);
    assert!(stream.chunks.len() > 5);
    let last = stream.last.unwrap();
    assert_eq!((last.clock, last.hash), (expected.clock, expected.hash));
    // The state at the beginning of each chunk is exact.
    let mut offset = 0;
    for chunk in &stream.chunks {
        // The step ticks before it logs and so finds the chunk full.
        let so_far = if offset == 0 { Expected::default() } else { work(0, (offset - 10) / 8 + 1) };
        assert_eq!((chunk.clock, chunk.hash), (so_far.clock, so_far.hash));
        offset += chunk.raw_length as u64;
    }
}

#[test]
fn a_killed_program_leaves_all_it_logged() {
    for (mode, signal) in
        [("kill", libc::SIGKILL), ("fault", libc::SIGSEGV), ("divide", libc::SIGFPE), ("abort", libc::SIGABRT)]
    {
        let run = run_recorded(mode, 40_000);
        assert_eq!(run.recorded.exit_status, 128 + signal);
        assert_eq!(run.recorded.end.ending, Ending::Killed { signal });
        assert!(run.stream(0) == work(run.entry(0), 40_000).bytes, "{mode}");
        let fault = run.recorded.end.fault;
        match mode {
            "fault" => assert_eq!(fault.map(|f| (f.signal, f.code, f.address)), Some((signal, 1, 0x1234))),
            "divide" => assert_eq!(fault.map(|f| (f.signal, f.code)), Some((signal, 1))),
            "abort" => assert_eq!(fault.map(|f| f.signal), Some(signal)),
            _ => assert_eq!(fault, None),
        }
    }
}

#[test]
fn threads_have_streams_of_their_own() {
    let run = run_recorded("threads", 50_000);
    let mut streams: Vec<_> = (0..4).map(|index| run.stream(index)).collect();
    streams.sort_by_key(Vec::len);
    assert_eq!(run.recording.streams().len(), 4);
    for (stream, count) in streams.iter().zip(50_000..) {
        assert!(*stream == work(run.entry(0), count).bytes);
    }
    assert!(run.recording.streams().iter().all(|stream| stream.last.unwrap().exact));
    let mut threads: Vec<_> = run.recording.streams().iter().map(|stream| stream.thread).collect();
    threads.dedup();
    assert_eq!(threads.len(), 4);
}

#[test]
fn threads_that_end_make_room_for_others() {
    let run = run_recorded("many threads", 0);
    assert_eq!(run.recorded.end.unrecorded_threads, 0);
    assert_eq!(run.recording.streams().len(), 300);
    for (index, stream) in run.recording.streams().iter().enumerate() {
        let expected = work(run.entry(0), index as u64);
        assert!(run.stream(index) == expected.bytes);
        let last = stream.last.unwrap();
        assert_eq!((last.clock, last.hash, last.exact), (expected.clock, expected.hash, true));
    }
}

#[test]
fn a_program_that_outruns_the_disk_waits() {
    let run = run_with("threads", 200_000, |options| Options { chunk_count: 5, chunk_size: 32 * 1024, ..options });
    assert_eq!(run.recording.streams().len(), 4);
    for index in 0..4 {
        let stream = run.stream(index);
        let count = (stream.len() as u64 - 10) / 8;
        assert!(count >= 200_000);
        assert!(stream == work(run.entry(0), count).bytes);
    }
}

#[test]
fn signal_handlers_do_not_disturb_what_they_interrupt() {
    let run = run_recorded("alarm", 400_000);
    let streams = run.recording.streams();
    let main = &streams[0];
    let bytes = run.stream(0);
    let count = (bytes.len() as u64 - 10) / 8;
    let expected = work(run.entry(4), count);
    assert!(bytes == expected.bytes);
    assert_eq!((main.last.unwrap().clock, main.last.unwrap().hash), (expected.clock, expected.hash));
    assert!(streams.len() > 40, "{} streams", streams.len());
    let mut before = (0, 0);
    for (index, stream) in streams.iter().enumerate().skip(1) {
        let number = 1_000_000 + index as u64 - 1;
        let mut handler = Expected::default();
        handler.entered(run.entry(1));
        (0..5).for_each(|_| {
            handler.step(number);
        });
        assert!(run.stream(index) == handler.bytes);
        let last = stream.last.unwrap();
        assert_eq!((last.clock, last.hash, last.exact), (5, handler.hash, true));
        let parent = stream.parent.unwrap();
        assert_eq!(parent.stream, main.id);
        let chunk = &main.chunks[parent.chunk as usize];
        assert!(parent.offset <= chunk.raw_length && parent.clock >= chunk.clock);
        assert!((parent.chunk, parent.offset) >= before);
        before = (parent.chunk, parent.offset);
    }
}

#[test]
fn killed_at_any_moment_every_stream_is_whole() {
    for milliseconds in (1..60).step_by(7) {
        let limit = Some(Duration::from_millis(milliseconds));
        // Small chunks: many moments are ones of changing them.
        let run = run_with("storm", 1000, |options| Options {
            time_limit: limit,
            chunk_count: 16,
            chunk_size: 24 * 1024,
            ..options
        });
        assert_eq!(run.recorded.end.ending, Ending::TimeLimit);
        let streams = run.recording.streams();
        for (index, stream) in streams.iter().enumerate() {
            let bytes = run.stream(index);
            let last = stream.last.unwrap();
            let Some(parent) = stream.parent else {
                check_work_and_handlers(&bytes, run.entry(0), run.entry(1));
                assert!(last.clock <= bytes.len() as u64 / 8 + 1);
                continue;
            };
            // A handler of a signal that came in instrumented code: complete unless it was killed too.
            let mut expected = Expected::default();
            expected.entered(run.entry(1));
            assert!(bytes.len() <= 50 && bytes.starts_with(&expected.bytes[..bytes.len().min(10)]));
            assert!(!last.exact || (bytes.len() == 50 && last.clock == 5));
            let interrupted = run.recording.stream(parent.stream).unwrap();
            let chunk = &interrupted.chunks[parent.chunk as usize];
            assert!(parent.offset <= chunk.raw_length && parent.clock >= chunk.clock);
        }
    }
}

/// A thread's stream: work again and again, and between it handlers of signals that came outside; cut off anywhere
/// between entries.
fn check_work_and_handlers(mut bytes: &[u8], work: u64, handler: u64) {
    let mut state = Expected::default();
    while !bytes.is_empty() {
        assert_eq!((bytes[0], bytes[1]), (Tag::Entered as u8, abi::check_byte(state.hash)));
        let entry = u64::from_le_bytes(bytes[2..10].try_into().unwrap());
        bytes = &bytes[10..];
        assert!(entry == work || entry == handler);
        for expected in 0..if entry == work { 1000 } else { 5 } {
            let Some((number, rest)) = bytes.split_first_chunk() else { break };
            let number = u64::from_le_bytes(*number);
            assert!(number == expected || (entry == handler && number >= 1_000_000));
            state.step(number);
            bytes = rest;
        }
        assert!(bytes.is_empty() || bytes.len() >= 10);
    }
}

#[test]
fn jumping_out_of_a_handler_ends_its_stream() {
    let run = run_recorded("jump", 0);
    assert_eq!(run.recording.streams().len(), 4);
    let (frame, instruction) = (0x7777u64.to_le_bytes(), 99u32.to_le_bytes());
    let mut expected = Expected::default();
    expected.entered(run.entry(5));
    for landing in 0..4 {
        expected.record(Tag::Setjmp, &[&frame, &instruction]).step(landing);
        if landing < 3 {
            expected.step(1);
        }
    }
    expected.record(Tag::Landed, &[&0x8888u64.to_le_bytes(), &100u32.to_le_bytes()]);
    assert_eq!(run.stream(0), expected.bytes);
    for index in 1..4 {
        let mut handler = Expected::default();
        handler.entered(run.entry(2)).step(4242).record(Tag::Left, &[]);
        assert_eq!(run.stream(index), handler.bytes);
        assert_eq!(run.recording.streams()[index].parent.unwrap().stream, run.recording.streams()[0].id);
    }
}

#[test]
fn handlers_nested_too_deep_are_counted_and_harmless() {
    let run = run_recorded("nest", 0);
    assert_eq!(run.recorded.end.unrecorded_handlers, 1);
    assert_eq!(run.recording.streams().len(), 1 + abi::CONTEXT_DEPTH);
    let mut main = Expected::default();
    main.entered(run.entry(6)).step(7).step(8);
    assert_eq!(run.stream(0), main.bytes);
    for depth in 1..=abi::CONTEXT_DEPTH {
        let mut handler = Expected::default();
        handler.entered(run.entry(3)).step(depth as u64).step(depth as u64);
        assert_eq!(run.stream(depth), handler.bytes);
        let parent = run.recording.streams()[depth].parent.unwrap();
        assert_eq!(parent.stream, run.recording.streams()[depth - 1].id);
        assert_eq!(parent.clock, 1);
    }
}

#[test]
fn callbacks_are_records_in_their_thread() {
    let run = run_recorded("callback", 0);
    let mut expected = Expected::default();
    expected.entered(run.entry(8)).entered(run.entry(7)).step(3).record(Tag::Returned, &[]).step(1);
    assert_eq!(run.stream(0), expected.bytes);
    assert_eq!(run.recording.streams().len(), 1);
}

#[test]
fn forked_children_leave_the_recording_alone() {
    let run = run_recorded("fork", 200_000);
    assert_eq!(run.recorded.end.forked, 1);
    let mut expected = Expected::default();
    expected.entered(run.entry(9)).step(1).record(Tag::Returned, &[]);
    (0..200_000).for_each(|number| {
        expected.step(number);
    });
    // The child's exit status.
    expected.step(0);
    assert!(run.stream(0) == expected.bytes);
    assert_eq!(run.recording.streams().len(), 1);
}

#[test]
fn a_program_that_replaces_itself_is_recorded_up_to_there() {
    let run = run_recorded("exec", 1000);
    assert_eq!(run.recorded.exit_status, 5);
    assert_eq!(run.recorded.end.executed, 1);
    assert!(run.stream(0) == work(run.entry(0), 1000).bytes);
}

#[test]
fn the_time_limit_ends_a_hanging_program() {
    let started = Instant::now();
    let limit = Some(Duration::from_millis(300));
    let run = run_with("hang", 1000, |options| Options { time_limit: limit, ..options });
    assert_eq!(run.recorded.end.ending, Ending::TimeLimit);
    assert_eq!(run.recorded.exit_status, 128 + libc::SIGKILL);
    assert!(started.elapsed() < Duration::from_secs(10));
    assert!(run.stream(0) == work(run.entry(0), 1000).bytes);
}

#[test]
fn the_size_limit_ends_an_endless_program() {
    let run = run_with("endless", 1000, |options| Options { size_limit: Some(1 << 20), ..options });
    assert_eq!(run.recorded.end.ending, Ending::SizeLimit);
    assert!(run.recorded.length > 1 << 20);
    let bytes = run.stream(0);
    let first = work(run.entry(0), 1000).bytes;
    assert!(bytes.starts_with(&first));
}

#[test]
fn a_stopped_program_can_be_continued() {
    let file = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    let mut options = Options::new(program("by_hand"), &file);
    options.arguments = vec!["stop".into(), "1000".into()];
    options.time_limit = Some(Duration::from_secs(20));
    let me = std::process::id();
    let recorded = std::thread::scope(|scope| {
        let recorded = scope.spawn(|| record(&options));
        while !recorded.is_finished() {
            std::thread::sleep(Duration::from_millis(20));
            continue_stopped_children(me);
        }
        recorded.join().unwrap().unwrap()
    });
    assert_eq!(recorded.end.ending, Ending::Exited { status: 0 });
    let recording = Recording::open(&file).unwrap();
    assert_eq!(recording.streams()[0].chunks[0].raw_length, 2 * (10 + 8000));
}

/// Sends SIGCONT to every child of ours that is stopped.
fn continue_stopped_children(parent: u32) {
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(process) = entry.file_name().to_string_lossy().parse::<i32>() else { continue };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        let Some((_, rest)) = stat.rsplit_once(") ") else { continue };
        let mut fields = rest.split(' ');
        let is_stopped = matches!(fields.next(), Some("t" | "T"));
        if is_stopped && fields.next() == Some(&parent.to_string()) {
            // SAFETY: sends a signal.
            unsafe { libc::kill(process, libc::SIGCONT) };
        }
    }
}

#[test]
fn shared_libraries_come_and_go() {
    let library = program("by_hand_library.so");
    let run = run_with("library", 1000, |mut options| {
        options.arguments.push(library.clone().into());
        options
    });
    assert_eq!(run.recorded.exit_status, 0);
    let modules: Vec<_> = run.recording.modules().iter().map(|module| (module.id, module.file.clone())).collect();
    assert_eq!(
        modules,
        [(ModuleId(*b"by hand by hand!"), program("by_hand")), (ModuleId(*b"library by hand!"), library)]
    );
    assert!(modules.iter().all(|(id, _)| run.recording.saved_ir(*id).is_some()));
    let function = run.recording.functions().last().unwrap();
    assert_eq!((function.function.0, function.instance), (50, 1));
    let mut expected = work(run.entry(50), 1000);
    expected.entered(run.entry(8)).entered(run.entry(7)).step(3).record(Tag::Returned, &[]).step(1);
    assert!(run.stream(0) == expected.bytes);
}

/// Runs [`records_in_a_child`] in a process of its own, where it may be limited or killed.
fn record_in_a_child(output: &Path, mode: &str) -> Command {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--ignored", "--exact", "records_in_a_child"]).stdout(Stdio::null());
    child.env("FAULTLINE_TEST_OUTPUT", output).env("FAULTLINE_TEST_PROGRAM", program("by_hand"));
    child.env("FAULTLINE_TEST_MODE", mode);
    child
}

/// Not a test of its own.
#[test]
#[ignore]
fn records_in_a_child() {
    let Some(output) = std::env::var_os("FAULTLINE_TEST_OUTPUT") else { return };
    let mut options = Options::new(std::env::var_os("FAULTLINE_TEST_PROGRAM").unwrap(), output);
    options.arguments = vec![std::env::var_os("FAULTLINE_TEST_MODE").unwrap(), "1000".into()];
    // Limits on files are on files in memory too.
    (options.chunk_count, options.chunk_size) = (8, 64 * 1024);
    record(&options).unwrap();
}

#[test]
fn a_full_disk_keeps_what_fits() {
    let file = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    let mut limited = record_in_a_child(&file, "endless");
    // A limit on the size of files fails as a full disk does, but for the signal, which we ignore.
    // SAFETY: the child makes system calls only.
    unsafe {
        limited.pre_exec(|| {
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            let limit = libc::rlimit { rlim_cur: 1 << 20, rlim_max: 1 << 20 };
            libc::setrlimit(libc::RLIMIT_FSIZE, &limit);
            Ok(())
        })
    };
    assert!(limited.status().unwrap().success());
    let recording = Recording::open(&file).unwrap();
    assert!(matches!(recording.end().unwrap().ending, Ending::WriteFailed { .. }));
    read_chunks(&recording);
}

#[test]
fn a_killed_recorder_leaves_what_it_wrote() {
    let file = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    let mut recorder = record_in_a_child(&file, "endless").spawn().unwrap();
    while std::fs::metadata(&file).unwrap().len() < 1 << 20 {
        std::thread::sleep(Duration::from_millis(5));
    }
    recorder.kill().unwrap();
    recorder.wait().unwrap();
    let recording = Recording::open(&file).unwrap();
    assert!(recording.is_truncated());
    assert_eq!(recording.streams()[0].last, None);
    assert_eq!(recording.modules().len(), 1);
    assert!(recording.saved_ir(recording.modules()[0].id).is_some());
    read_chunks(&recording);
}

/// Every chunk of the first stream can be read.
fn read_chunks(recording: &Recording) {
    let stream = &recording.streams()[0];
    assert!(stream.chunks.len() > 1);
    for chunk in 0..stream.chunks.len() {
        recording.chunk(stream.id, chunk).unwrap();
    }
}

#[test]
fn a_program_that_may_not_be_traced_is_recorded_nevertheless() {
    let file = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    let mut child = record_in_a_child(&file, "fault");
    // SAFETY: the child makes system calls only, and a small list.
    unsafe { child.pre_exec(|| refuse(libc::SYS_ptrace)) };
    assert!(child.status().unwrap().success());
    let recording = Recording::open(&file).unwrap();
    let end = recording.end().unwrap();
    assert_eq!((&end.ending, end.fault), (&Ending::Killed { signal: libc::SIGSEGV }, None));
    assert_eq!(recording.streams()[0].chunks[0].raw_length, 10 + 8000);
}

#[test]
fn addresses_that_cannot_be_fixed_are_a_reason_not_to_start() {
    let file = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    let mut child = record_in_a_child(&file, "count");
    // SAFETY: the child makes system calls only, and a small list.
    unsafe { child.pre_exec(|| refuse(libc::SYS_personality)) };
    let output = child.stderr(Stdio::piped()).stdout(Stdio::piped()).output().unwrap();
    assert!(!output.status.success());
    let said = [output.stdout, output.stderr].concat();
    assert!(String::from_utf8_lossy(&said).contains("cannot turn off address randomisation"));
}

#[test]
fn an_unlimited_stack_is_no_trouble() {
    let file = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    let mut child = record_in_a_child(&file, "count");
    // SAFETY: the child makes system calls only.
    unsafe {
        child.pre_exec(|| {
            let limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
            libc::setrlimit(libc::RLIMIT_STACK, &limit);
            Ok(())
        })
    };
    assert!(child.status().unwrap().success());
    assert_eq!(Recording::open(&file).unwrap().streams()[0].chunks[0].raw_length, 10 + 8000);
}

/// From now on that system call fails with EPERM, here and in every child.
fn refuse(call: libc::c_long) -> std::io::Result<()> {
    let instruction = |code, jt, jf, k| libc::sock_filter { code, jt, jf, k };
    let refused = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
    let filter = [
        instruction((libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16, 0, 0, 0),
        instruction((libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16, 0, 1, call as u32),
        instruction((libc::BPF_RET | libc::BPF_K) as u16, 0, 0, refused),
        instruction((libc::BPF_RET | libc::BPF_K) as u16, 0, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the kernel reads the filter, which lives until it returns.
    let set = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) == 0
    };
    if set { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

#[test]
fn what_cannot_be_recorded_is_refused_with_a_reason() {
    let directory = tempfile::tempdir().unwrap();
    let output = directory.path().join("out.flt");
    let refuse = |program: &str| record(&Options::new(program, &output)).unwrap_err().to_string();
    assert!(refuse("/bin/true").contains("was not compiled by faultline-cc; build it with CC=faultline-cc"));
    assert!(refuse("/no/such/program").contains("there is no program /no/such/program"));
    let script = directory.path().join("script");
    std::fs::write(&script, "#!/bin/sh\n").unwrap();
    assert!(refuse(script.to_str().unwrap()).contains("is a script"));
    assert!(!output.exists());
    let unwritable = record(&Options::new(program("by_hand"), "/proc/no"));
    assert!(matches!(unwritable, Err(RecordError::CannotWrite { .. })));
}

#[test]
fn registers_survive_the_runtime() {
    assert!(Command::new(program("registers")).status().unwrap().success());
    let file = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    assert_eq!(record(&Options::new(program("registers"), &file)).unwrap().exit_status, 0);
}

#[test]
fn the_runtime_brings_nothing_along() {
    // A function of `abi` or `core` that is not inlined pulls in all of `core`: it would make every program larger and
    // its start slower.
    let binary = std::fs::read(program("by_hand")).unwrap();
    let elf = object::File::parse(&*binary).unwrap();
    let foreign = elf.symbols().filter_map(|symbol| symbol.name().ok()).find(|name| name.contains("4core"));
    assert_eq!(foreign, None);
}

#[test]
fn programs_run_the_same_when_nobody_records() {
    let modes =
        [("count", Some(3)), ("threads", Some(0)), ("many threads", Some(0)), ("alarm", Some(0)), ("jump", Some(0))];
    let more = [("nest", Some(0)), ("callback", Some(0)), ("fork", Some(0)), ("exec", Some(5)), ("kill", None)];
    for (mode, status) in modes.into_iter().chain(more) {
        let ran = Command::new(program("by_hand")).args([mode, "100000"]).status().unwrap();
        assert_eq!(ran.code(), status, "{mode}");
    }
}

/// What a program read and wrote is its user's alone.
#[test]
fn recordings_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run.flt");
    let mut options = Options::new(program("by_hand"), &path);
    options.arguments = vec!["count".into(), "10".into()];
    assert!(record(&options).unwrap().length > 0);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

//! The raw form of a recording as text: what it contains, without interpreting the entries.

use std::io::{self, Write};

use crate::reader::Recording;
use crate::standard::Standard;

/// The case, the end, the modules, functions and streams, one line each.
pub fn summary(recording: &Recording, out: &mut impl Write) -> io::Result<()> {
    let case = recording.case();
    writeln!(out, "program {}", case.program.display())?;
    for argument in &case.arguments {
        writeln!(out, "argument {argument:?}")?;
    }
    writeln!(out, "directory {}", case.directory.display())?;
    match recording.end() {
        Some(end) => writeln!(out, "end {end:?}")?,
        None => writeln!(out, "truncated")?,
    }
    for stream in Standard::ALL {
        match recording.standard(stream) {
            Ok(Some(bytes)) => writeln!(out, "{}: {} bytes", stream.name(), bytes.len())?,
            Ok(None) => {}
            Err(error) => writeln!(out, "{}: {error}", stream.name())?,
        }
    }
    for module in recording.modules() {
        let ir = recording.saved_ir(module.id).map_or(0, <[u8]>::len);
        let count = module.addresses.len();
        writeln!(out, "module {} of {}: {count} addresses, {ir} bytes of IR", module.id, module.file.display())?;
    }
    for function in recording.functions() {
        let hash = function.type_hash;
        writeln!(out, "function {} {} at {}, type {hash:#x}", function.module, function.function, function.entry)?;
    }
    for stream in recording.streams() {
        write!(out, "{} of thread {}", stream.id, stream.thread)?;
        if let Some(parent) = &stream.parent {
            let (chunk, offset) = (parent.chunk, parent.offset);
            write!(out, ", interrupts {} chunk {chunk} byte {offset} clock {}", parent.stream, parent.clock)?;
        }
        match &stream.last {
            Some(last) => writeln!(out, ", ends at clock {} hash {:#x}", last.clock, last.hash)?,
            None => writeln!(out, ", end unknown")?,
        }
        for (index, chunk) in stream.chunks.iter().enumerate() {
            writeln!(
                out,
                "  chunk {index}: {} bytes from clock {} hash {:#x}",
                chunk.raw_length, chunk.clock, chunk.hash
            )?;
        }
    }
    Ok(())
}

/// The bytes of every stream and of the standard streams, sixteen to a line, after the offset in their chunk.
pub fn bytes(recording: &Recording, out: &mut impl Write) -> io::Result<()> {
    for stream in Standard::ALL {
        let Ok(Some(bytes)) = recording.standard(stream) else { continue };
        writeln!(out, "{}", stream.name())?;
        lines(&bytes, out)?;
    }
    for stream in recording.streams() {
        for index in 0..stream.chunks.len() {
            writeln!(out, "{} chunk {index}", stream.id)?;
            match recording.chunk(stream.id, index) {
                Ok(bytes) => lines(&bytes, out)?,
                Err(error) => writeln!(out, "  {error}")?,
            }
        }
    }
    Ok(())
}

fn lines(bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    for (line, row) in bytes.chunks(16).enumerate() {
        write!(out, "  {:06x} ", line * 16)?;
        for byte in row {
            write!(out, " {byte:02x}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

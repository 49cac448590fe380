//! Which sites fill the log: bytes by site, largest first. `log_profile RECORDING [COUNT]`.

use std::collections::HashMap;

use abi::{FunctionId, InstructionId, ModuleId};
use faultline_replay::{Image, Observed, Observer};
use program::{CallKind, Op, Storage};

#[derive(Default)]
struct Profile {
    bytes: HashMap<(ModuleId, FunctionId, InstructionId), (u64, String)>,
}

impl Observer for Profile {
    const IN_HANDLERS: bool = true;

    fn step(&mut self, step: &Observed<'_>) {
        let logged = match &step.instruction().op {
            Op::Load { local: None, .. } => step.instruction().ty.store_size(),
            Op::Alloca { storage: Storage::Dynamic, .. } => 8,
            Op::Call(call) if call.kind == CallKind::Logged => step.instruction().ty.store_size(),
            _ => return,
        };
        let key = (step.module().id, step.function().id, step.id());
        let entry = self.bytes.entry(key).or_insert_with(|| {
            let text = step.module().instruction_text(step.function(), step.id()).to_string();
            (0, format!("{}: {text}", step.function().name))
        });
        entry.0 += logged;
    }

    fn entered(&mut self, function: &program::Function, module: &program::Module, _: bool) {
        if function.logs_frame {
            let key = (module.id, function.id, InstructionId(u32::MAX));
            self.bytes.entry(key).or_insert_with(|| (0, format!("{}: frame", function.name))).0 += 8;
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("usage: log_profile RECORDING [COUNT]");
    let count = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(40);
    let recording = recording::Recording::open(path.as_ref()).expect("a recording");
    let image = Image::new(&recording);
    let stream = recording.streams()[0].id;
    let (summary, profile) = faultline_replay::replay(&image, stream, Profile::default()).expect("an exact replay");
    let mut sites: Vec<_> = profile.bytes.into_values().collect();
    sites.sort_by_key(|s| std::cmp::Reverse(s.0));
    let total: u64 = sites.iter().map(|s| s.0).sum();
    println!("{total} bytes of loads and frames for {} ticks", summary.clock);
    for (bytes, text) in sites.into_iter().take(count) {
        println!("{:5.1} %  {text}", bytes as f64 * 100.0 / total as f64);
    }
}

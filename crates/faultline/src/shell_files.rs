//! What packages install beside the command: completions for shells, and manual pages. Both are made from the options.

use std::io;
use std::process::ExitCode;

use anyhow::Result;
use clap::CommandFactory;

/// Print a completion script for a shell
#[derive(clap::Args)]
pub struct Completions {
    shell: clap_complete::Shell,
}

pub fn completions<A: CommandFactory>(arguments: &Completions) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut A::command(), "faultline", &mut text);
    write(&text)
}

/// Print the manual page, or that of a subcommand
#[derive(clap::Args)]
pub struct Man {
    subcommand: Option<String>,
}

pub fn man<A: CommandFactory>(arguments: &Man) -> Result<ExitCode> {
    let mut command = A::command();
    command.build();
    let page = match &arguments.subcommand {
        Some(name) => {
            let found = command.find_subcommand(name).cloned();
            found.ok_or_else(|| anyhow::anyhow!("there is no subcommand {name}; see faultline --help"))?
        }
        None => command,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    write(&text)
}

fn write(text: &[u8]) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    crate::finish(io::Write::write_all(&mut out, text).map_err(Into::into), out)
}

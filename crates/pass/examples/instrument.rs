//! Instruments one bitcode file: `instrument IN OUT [stores]`. For looking at what the pass does.

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, input, output, rest @ ..] = &arguments[..] else {
        eprintln!("usage: instrument IN.bc OUT.bc [stores]");
        std::process::exit(2);
    };
    let check = if rest.iter().any(|r| r == "stores") { faultline_pass::Check::Stores } else { Default::default() };
    let bitcode = std::fs::read(input).expect("the input can be read");
    match faultline_pass::instrument(&bitcode, &faultline_pass::Options { check, ..Default::default() }) {
        Ok(instrumented) => std::fs::write(output, instrumented).expect("the output can be written"),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}

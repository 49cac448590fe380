//! Steps of the way from the cause to the failure.

use findings::{Claim, Joint, Link};

use super::claim::evidence;
use super::counted;

pub fn link(link: &Link) -> String {
    let what = match &link.claim {
        Claim::Executed => "control passed here".into(),
        claim => evidence(claim, &link.location),
    };
    let joint = match link.joint {
        Joint::None => String::new(),
        Joint::Data => "then ".into(),
        Joint::Control => "so ".into(),
        Joint::LeftOut { steps } => format!("{} later, ", counted(steps, "step")),
    };
    let again = match link.rounds {
        0 => "",
        1 => " (after another pass)",
        _ => " (after more passes)",
    };
    format!("{joint}{what}{again}")
}

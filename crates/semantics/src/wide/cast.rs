//! Casts, lane by lane; a bitcast moves all bits at once.

use program::{CastOp, Type};

use super::{InWords, lanes, scalar, width};
use crate::bits;
use crate::double::Double;
use crate::long::Long;

pub fn cast(op: CastOp, from: &Type, to: &Type, value: &[u64], out: &mut [u64]) {
    out.fill(0);
    if op == CastOp::Bitcast {
        bits::copy(value, 0, out, 0, width(from));
        return;
    }
    if width(lanes(from).0).max(width(lanes(to).0)) > 128 {
        cast_in(&Long, op, from, to, value, out);
    } else {
        cast_in(&Double, op, from, to, value, out);
    }
}

fn cast_in(d: &impl InWords, op: CastOp, from: &Type, to: &Type, value: &[u64], out: &mut [u64]) {
    let ((from, count), (to, _)) = (lanes(from), lanes(to));
    let (from, to) = (scalar(from), scalar(to));
    for lane in 0..count {
        let made = crate::cast(d, op, from, to, &d.take(value, lane, from.width()));
        d.put(out, lane, to.width(), &made);
    }
}

//! What can be said of a term's value under every assignment. Found by looking a few operations deep, so it costs the same for
//! deep terms as for shallow ones.

use crate::bounds::{self, Bounds};
use crate::operation::{ones, sign_extended};
use crate::term::{Term, Terms, View};

/// So many operations deep.
const DEPTH: u32 = 3;

impl Terms {
    pub(crate) fn bounds(&self, term: Term) -> Bounds {
        if let Some(known) = self.lately.of(term.place()) {
            return known;
        }
        let found = self.bounds_within(term, DEPTH);
        self.lately.note(term.place(), found);
        found
    }

    /// Finds the bounds of a term that has just been made, keeps them at hand, and gives the greatest value.
    pub(super) fn note_bounds(&self, term: Term) -> u128 {
        let found = self.looked_up(term, DEPTH);
        self.lately.note(term.place(), found);
        found.greatest
    }

    fn bounds_within(&self, term: Term, depth: u32) -> Bounds {
        self.looked_up(term, depth)
    }

    // Inlined where each term that is made comes by: as the result of a function, these five numbers are written and read
    // again at once, for which the processor waits.
    #[inline(always)]
    fn looked_up(&self, term: Term, depth: u32) -> Bounds {
        let width = self.width(term);
        let view = self.view(term);
        if let View::Constant(value) = view {
            return Bounds::exactly(value);
        }
        let found = Bounds::range(width, 0, self.greatest(term));
        let Some(depth) = depth.checked_sub(1) else { return found };
        let of = |operand: Term| self.lately.of(operand.place()).unwrap_or_else(|| self.bounds_within(operand, depth));
        let looked_up = match view {
            View::Constant(value) => Bounds::exactly(value),
            View::Symbol(_) => Bounds::any(width),
            View::Binary(operation, a, b) => bounds::binary(operation, width, of(a), of(b)),
            View::Not(a) => {
                let a = of(a);
                let flipped = |bits: u128| !bits & ones(width);
                Bounds {
                    certain: flipped(a.possible),
                    possible: flipped(a.certain),
                    least: flipped(a.greatest),
                    greatest: flipped(a.least),
                }
            }
            View::Concat(high, low) => {
                let (high, low, by) = (of(high), of(low), self.width(low));
                Bounds {
                    certain: high.certain << by | low.certain,
                    possible: high.possible << by | low.possible,
                    least: high.least << by | low.least,
                    greatest: high.greatest << by | low.greatest,
                }
            }
            View::Extract(a, low) => {
                let whole = of(a);
                let cut = |bits: u128| bits >> low & ones(width);
                let mut bounds = Bounds::bits(width, cut(whole.certain), cut(whole.possible));
                if whole.greatest >> low <= ones(width) {
                    bounds.least = bounds.least.max(whole.least >> low);
                    bounds.greatest = bounds.greatest.min(whole.greatest >> low);
                }
                bounds.tightened()
            }
            View::ZeroExtend(a) => of(a),
            View::SignExtend(a) => {
                let (a, from) = (of(a), self.width(a));
                let extended = |bits: u128| sign_extended(from, width, bits);
                match a.sign(from) {
                    Some(_) => Bounds {
                        certain: extended(a.certain),
                        possible: extended(a.possible),
                        least: extended(a.least),
                        greatest: extended(a.greatest),
                    },
                    None => Bounds::bits(width, a.certain, extended(a.possible)),
                }
            }
            View::Choose(_, a, b) => {
                let (a, b) = (of(a), of(b));
                Bounds {
                    certain: a.certain & b.certain,
                    possible: a.possible | b.possible,
                    least: a.least.min(b.least),
                    greatest: a.greatest.max(b.greatest),
                }
            }
            View::Table(index, table) => {
                let summary = self.summary(table);
                // The zeros behind the end, if an index can be there.
                let goes_beyond = of(index).greatest >= self.entries(table).len() as u128;
                let unless = |bits: u128| if goes_beyond { 0 } else { bits };
                Bounds {
                    certain: unless(summary.every),
                    possible: summary.any,
                    least: unless(summary.least),
                    greatest: summary.greatest,
                }
                .tightened()
            }
        };
        Bounds {
            certain: looked_up.certain,
            possible: looked_up.possible & found.possible,
            least: looked_up.least,
            greatest: looked_up.greatest.min(found.greatest),
        }
        .tightened()
    }
}

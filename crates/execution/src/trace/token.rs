//! The words of a trace that are not addresses or values.

use abi::{BlockId, FunctionId, InstructionId};

use super::FunctionKey;

/// Set in the address of a load that met what instrumented code had not put there.
pub const SURPRISE: u64 = 1 << 63;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token(pub u64);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A block ended and control went on at another.
    Went {
        from: BlockId,
        to: BlockId,
    },
    /// An exception landed: the same, through the landing pad of an invoke.
    Landed {
        from: BlockId,
        to: BlockId,
    },
    /// A block ended in a return, or in going on with an exception.
    Ended {
        from: BlockId,
    },
    /// A call begins. Before it: the first word of each argument and of the pointer it goes through, then what is
    /// measured of a library call.
    Called {
        at: InstructionId,
    },
    /// A call came back. Before it: the first word of the result.
    Came {
        at: InstructionId,
    },
    /// A function begins. Before it: the addresses of its by-value parameters.
    Entered {
        function: FunctionKey,
        from_outside: bool,
    },
    Returned {
        function: FunctionKey,
        from_outside: bool,
    },
    /// A function was left by a jump or an exception. Before it: the instruction it was at.
    Unwound {
        function: FunctionKey,
        from_outside: bool,
    },
    /// `setjmp` at `to` returns again. Before it: the clock until then, and the instruction the function was at.
    Jumped {
        to: InstructionId,
    },
}

const KIND: u32 = 60;
const OUTSIDE: u64 = 1 << 56;

impl Token {
    pub fn new(event: Event) -> Token {
        let pair = |kind: u64, a: BlockId, b: BlockId| kind << KIND | u64::from(a.0) << 28 | u64::from(b.0);
        let one = |kind: u64, a: u32| kind << KIND | u64::from(a);
        let function = |kind: u64, key: FunctionKey, outside: bool| {
            let flag = if outside { OUTSIDE } else { 0 };
            kind << KIND | flag | u64::from(key.module) << 28 | u64::from(key.function.0)
        };
        Token(match event {
            Event::Went { from, to } => pair(1, from, to),
            Event::Landed { from, to } => pair(2, from, to),
            Event::Ended { from } => one(3, from.0),
            Event::Called { at } => one(4, at.0),
            Event::Came { at } => one(5, at.0),
            Event::Entered { function: key, from_outside } => function(6, key, from_outside),
            Event::Returned { function: key, from_outside } => function(7, key, from_outside),
            // Kinds are at most 7, so that the top bit stays free and no token looks like a surprise.
            Event::Unwound { function: key, from_outside } => function(0, key, from_outside) | 1 << 57,
            Event::Jumped { to } => one(0, to.0) | 1 << 58,
        })
    }

    /// `None`: the word is no token; the reader and the writer of the trace disagree.
    pub fn event(self) -> Option<Event> {
        let Token(word) = self;
        let low = (word & ((1 << 28) - 1)) as u32;
        let high = ((word >> 28) & ((1 << 28) - 1)) as u32;
        let function = FunctionKey { module: high, function: FunctionId(low) };
        let from_outside = word & OUTSIDE != 0;
        Some(match word >> KIND {
            1 => Event::Went { from: BlockId(high), to: BlockId(low) },
            2 => Event::Landed { from: BlockId(high), to: BlockId(low) },
            3 => Event::Ended { from: BlockId(low) },
            4 => Event::Called { at: InstructionId(low) },
            5 => Event::Came { at: InstructionId(low) },
            6 => Event::Entered { function, from_outside },
            7 => Event::Returned { function, from_outside },
            0 if word & 1 << 57 != 0 => Event::Unwound { function, from_outside },
            0 if word & 1 << 58 != 0 => Event::Jumped { to: InstructionId(low) },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_comes_back() {
        let function = FunctionKey { module: 7, function: FunctionId(70_000) };
        let blocks = [BlockId(0), BlockId(1), BlockId(70_000)];
        let mut events = vec![
            Event::Called { at: InstructionId(900_000) },
            Event::Came { at: InstructionId(0) },
            Event::Jumped { to: InstructionId(3) },
        ];
        for from_outside in [false, true] {
            events.push(Event::Entered { function, from_outside });
            events.push(Event::Returned { function, from_outside });
            events.push(Event::Unwound { function, from_outside });
        }
        for from in blocks {
            events.push(Event::Ended { from });
            for to in blocks {
                events.push(Event::Went { from, to });
                events.push(Event::Landed { from, to });
            }
        }
        for event in events {
            let token = Token::new(event);
            assert_eq!(token.event(), Some(event));
            assert_eq!(token.0 & SURPRISE, 0);
        }
    }

    #[test]
    fn an_address_is_no_token() {
        assert_eq!(Token(0x7fff_dead_beef).event(), None);
    }
}

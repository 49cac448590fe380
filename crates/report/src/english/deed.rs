//! What a step did.

use findings::{Deed, Expression, TestDeed, TestValue, Value};

/// As the main clause of a sentence in the past.
pub fn deed(deed: &Deed) -> String {
    match deed {
        Deed::Assigned { place, value } => format!("`{}` became {}", place.0, value.0),
        Deed::SetResult { value } => format!("the return value became {}", value.0),
        Deed::Decided { condition, outcome } => format!("`{}` was {outcome}", condition.0),
        Deed::Chose { of, value } => format!("the switch on `{}` took case {}", of.0, value.0),
        Deed::Called { function, arguments } => format!("`{}` was called", call(function, arguments)),
        Deed::Returned { function, value } => format!("`{}` returned{}", function.0, with_space(value.as_ref())),
        Deed::Had { expression, value } => format!("`{}` was {}", expression.0, value.0),
    }
}

/// The same in the present, with the value that another run has instead.
pub fn beside(deed: &Deed, other: Option<&Value>) -> String {
    let instead = super::instead(other);
    let does = match deed {
        Deed::Assigned { place, value } => format!("`{}` becomes {}", place.0, value.0),
        Deed::SetResult { value } => format!("the return value becomes {}", value.0),
        Deed::Decided { condition, outcome } => format!("`{}` is {outcome}", condition.0),
        Deed::Chose { of, value } => format!("the switch on `{}` takes case {}", of.0, value.0),
        Deed::Called { function, arguments } => format!("`{}` is called", call(function, arguments)),
        Deed::Returned { function, value } => format!("`{}` returns{}", function.0, with_space(value.as_ref())),
        Deed::Had { expression, value } => format!("`{}` is {}", expression.0, value.0),
    };
    format!("{does}{instead}")
}

/// A call as the source writes it.
pub fn call(Expression(function): &Expression, arguments: &[Value]) -> String {
    let arguments: Vec<&str> = arguments.iter().map(|Value(value)| value.as_str()).collect();
    format!("{function}({})", arguments.join(", "))
}

fn with_space(value: Option<&Value>) -> String {
    value.map_or_else(String::new, |Value(value)| format!(" {value}"))
}

/// What tests did at a line.
pub fn in_tests(deed: &TestDeed) -> String {
    match deed {
        TestDeed::Executed => "it was executed".into(),
        TestDeed::Decided { outcome } => format!("its condition was {outcome}"),
        TestDeed::Chose { case: Some(case) } => format!("its switch went to case {case}"),
        TestDeed::Chose { case: None } => "its switch went to the default".into(),
        TestDeed::Returned { function, value } => format!("`{}` returned {}", function.0, of_tests(*value)),
    }
}

fn of_tests(value: TestValue) -> String {
    match value {
        TestValue::Zero => "zero".into(),
        TestValue::NonZero => "a nonzero value".into(),
        TestValue::Null => "NULL".into(),
        TestValue::NonNull => "a pointer that is not NULL".into(),
        TestValue::True => "true".into(),
        TestValue::False => "false".into(),
        TestValue::Constant(value) => value.to_string(),
        TestValue::EmptyText => "an empty string".into(),
        TestValue::Text => "a string that is not empty".into(),
    }
}

//! Two runs side by side, around where they part.

use findings::story::{Cell, Row, RowKind, SideBySide};
use maud::{Markup, html};

use super::places::Places;
use super::visible::visible;
use crate::english;

pub fn runs(runs: &SideBySide, places: &Places<'_>) -> Markup {
    html! {
        h2 #runs-title { "Both runs, where they diverge" }
        div.scroll tabindex="0" role="region" aria-labelledby="runs-title" {
            table.runs {
                thead {
                    tr {
                        th scope="col" { "The failing run" }
                        th scope="col" { (english::other_run(runs.changes)) }
                    }
                }
                tbody { @for row in &runs.rows { (row_told(row, places)) } }
            }
        }
    }
}

fn row_told(row: &Row, places: &Places<'_>) -> Markup {
    let class = match row.kind {
        RowKind::Gap(count) => {
            let statements = if count == 1 { "statement" } else { "statements" };
            return html! { tr.gap { td colspan="2" { (count) " more " (statements) } } };
        }
        RowKind::Same => "same",
        RowKind::Differs => "differs",
        RowKind::Parts => "parts",
        RowKind::Alone => "alone",
    };
    html! { tr.(class) { (cell_told(row.failing.as_ref(), places)) (cell_told(row.other.as_ref(), places)) } }
}

fn cell_told(cell: Option<&Cell>, places: &Places<'_>) -> Markup {
    html! {
        @match cell {
            Some(cell) => td {
                @if let Some(location) = &cell.location { (places.link(location)) " " }
                code { (visible(&cell.text)) }
            },
            None => td.absent { span.unseen { "not executed" } },
        }
    }
}

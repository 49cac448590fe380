//! Faults that keep code from running: which of them count, and how well each kind is found.
//!
//! As in the paper, an omission is a fault whose lines the plain dynamic slice of the failure does not have. One that it
//! has is found without any technique for omissions, and does not count.

use std::collections::{BTreeMap, BTreeSet};

use crate::baseline::MOST_STEPS;
use crate::document::{Part, Table};
use crate::kind::Kind;
use crate::row::Row;
use crate::tables::{CLASS_TOP, Results, overall};

/// The yardstick that tells.
pub const PLAIN_SLICE: &str = "plain slice";
/// What is asked unless something else is asked for.
const ASKED: [&str; 2] = ["omission", "why"];

/// Which of them a row of a table is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    All,
    /// Nobody looked at them before they were counted: the others were at hand while the technique was built.
    Unseen,
    Of(Kind),
}

impl Group {
    pub fn name(self) -> &'static str {
        match self {
            Group::All => "faults",
            Group::Unseen => "unseen",
            Group::Of(kind) => kind.name(),
        }
    }

    fn has(self, row: &Row) -> bool {
        match self {
            Group::All => true,
            Group::Unseen => row.is_unseen,
            Group::Of(kind) => row.kind == Some(kind),
        }
    }
}

/// Those of an evaluation.
pub struct Omissions {
    /// Of those that count.
    pub results: Results,
    /// Why the others do not, by name.
    pub others: BTreeMap<String, String>,
}

/// What is asked: the techniques named, and always the yardstick.
pub fn asked(named: &[String]) -> Vec<String> {
    let named = if named.is_empty() { ASKED.map(str::to_owned).to_vec() } else { named.to_vec() };
    [vec![PLAIN_SLICE.to_owned()], named].concat()
}

impl Omissions {
    pub fn among(rows: Vec<Row>) -> Omissions {
        let (mut counted, mut others) = (BTreeSet::new(), BTreeMap::new());
        for row in rows.iter().filter(|row| row.technique == PLAIN_SLICE) {
            match doubt(row) {
                None => drop(counted.insert(row.name())),
                Some(doubt) => drop(others.insert(row.name(), doubt)),
            }
        }
        let rows = rows.into_iter().filter(|row| counted.contains(&row.name())).collect();
        Omissions { results: Results::new(rows), others }
    }

    /// The groups that there are, and how many faults are in each.
    pub fn groups(&self) -> Vec<(Group, usize)> {
        let groups = [Group::All, Group::Unseen].into_iter().chain(Kind::ALL.map(Group::Of));
        groups.map(|group| (group, self.of(PLAIN_SLICE, group).len())).filter(|(_, faults)| *faults > 0).collect()
    }

    /// What a technique answered about those of a group.
    pub fn of(&self, technique: &str, group: Group) -> Vec<&Row> {
        self.results.of(technique).into_iter().filter(|row| group.has(row)).collect()
    }

    /// What is told of them.
    pub fn parts(&self) -> Vec<Part> {
        let mut sentences = vec![format!(
            "Asked about {} faults that keep code from running, so that the plain slice of the failure has none of their lines.",
            self.results.faults()
        )];
        let unseen = self.of(PLAIN_SLICE, Group::Unseen).len();
        if unseen > 0 {
            sentences.push(format!(
                "{unseen} of them are *unseen*: made by somebody who knew nothing of the technique for them, and looked at by nobody \
                 before they were counted. The others were at hand while it was built."
            ));
        }
        sentences.extend(self.others.iter().map(|(name, doubt)| format!("`{name}` does not count: {doubt}.")));
        let mut parts = vec![Part::Text(sentences.join(" ")), Part::Table(overall(&self.results))];
        parts.push(Part::Table(self.by_kind()));
        parts.extend(self.not_found().map(Part::Table));
        parts
    }

    /// Who found how many of which kind.
    fn by_kind(&self) -> Table {
        let techniques: Vec<&String> = self.results.techniques.iter().filter(|name| *name != PLAIN_SLICE).collect();
        let mut header = vec!["kind", "faults"];
        header.extend(techniques.iter().map(|name| name.as_str()));
        let note = format!("found among the lines answered, and in brackets among the first {CLASS_TOP} of them");
        let mut table = Table::new("By kind of omission", &note, &header);
        for (group, faults) in self.groups().into_iter().filter(|(group, _)| *group != Group::All) {
            let mut cells = vec![group.name().to_owned(), faults.to_string()];
            cells.extend(techniques.iter().map(|technique| found(&self.of(technique, group))));
            table.rows.push(cells);
        }
        table
    }

    /// Those that the technique for them does not find.
    fn not_found(&self) -> Option<Table> {
        let [omission, why] = ASKED;
        let missed: Vec<&Row> = self.results.of(omission).into_iter().filter(|row| row.rank.is_none()).collect();
        if missed.is_empty() {
            return None;
        }
        let mut table = Table::new(
            &format!("Not among the lines that `{omission}` answered"),
            "",
            &["fault", "kind", "what is wrong", "rank by `why`"],
        );
        table.words = 3;
        for row in missed {
            let rank = self.results.of(why).into_iter().find(|other| other.name() == row.name()).map(|row| row.rank);
            let rank = match rank {
                None => "-".to_owned(),
                Some(None) => "not found".to_owned(),
                Some(Some(rank)) => rank.to_string(),
            };
            let kind = row.kind.map_or("-", Kind::name);
            table.rows.push(vec![row.name(), kind.to_owned(), row.summary.clone(), rank]);
        }
        Some(table)
    }
}

/// How many are among the lines answered, and among the first of them.
pub fn found(rows: &[&Row]) -> String {
    let among = |top: usize| rows.iter().filter(|row| row.is_within(top)).count();
    format!("{} of {} ({})", among(usize::MAX), rows.len(), among(CLASS_TOP))
}

/// Why a fault is no omission, or perhaps none.
fn doubt(plain: &Row) -> Option<String> {
    if let Some(rank) = plain.rank {
        return Some(format!("the plain slice has it at rank {rank}"));
    }
    if let Some(trouble) = &plain.trouble {
        return Some(format!("its plain slice is not known ({trouble})"));
    }
    match plain.slices {
        None => Some("its plain slice is not known".into()),
        Some(slices) if slices.plain.steps > MOST_STEPS as u64 => {
            Some("its plain slice is longer than what is looked at".into())
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{Answer, Steps};
    use crate::change::{Change, Place};
    use crate::class::Class;
    use crate::facts::{Facts, Size, Slices};
    use crate::papers::omission::tables;
    use crate::subject::Fault;

    fn row(name: &str, technique: &str, lines: &[u32], steps: Option<u64>) -> Row {
        let change = Change { text: String::new(), places: vec![Place::Lines(vec![7])] };
        let fault = Fault {
            name: name.into(),
            class: Class::MissingCode,
            kind: Some(Kind::MissingElse),
            is_unseen: name.starts_with("unseen"),
            lines: vec![7],
            summary: String::new(),
            change,
        };
        let slices = steps.map(|steps| Slices {
            plain: Size { lines: lines.len(), steps },
            relevant: Size { lines: lines.len() + 2, steps: 2 * steps },
        });
        let facts = Facts { made_from: String::new(), executed: 8, slices, graph: None };
        Row::new("s", &fault, technique, &Answer { lines: lines.to_vec(), ..Answer::default() }, &facts)
    }

    #[test]
    fn what_a_plain_slice_has_or_may_have_does_not_count() {
        let long = MOST_STEPS as u64 + 1;
        let mut rows = vec![
            row("missed", PLAIN_SLICE, &[3, 4], Some(9)),
            row("had", PLAIN_SLICE, &[3, 7], Some(9)),
            row("long", PLAIN_SLICE, &[3], Some(long)),
            row("unknown", PLAIN_SLICE, &[], None),
        ];
        rows.extend(["missed", "had", "long", "unknown", "unasked"].map(|name| row(name, "omission", &[7, 3], None)));
        let omissions = Omissions::among(rows);
        assert_eq!(omissions.results.faults(), 1);
        assert_eq!(found(&omissions.results.of("omission")), "1 of 1 (1)");
        assert_eq!(omissions.groups(), [(Group::All, 1), (Group::Of(Kind::MissingElse), 1)]);
        assert_eq!(omissions.others.keys().collect::<Vec<_>>(), ["s/had", "s/long", "s/unknown"]);
    }

    #[test]
    fn unseen_ones_are_counted_apart_and_among_all() {
        let rows = ["seen", "unseen one", "unseen two"].into_iter().flat_map(|name| {
            let lines: &[u32] = if name == "unseen two" { &[3] } else { &[7] };
            [row(name, PLAIN_SLICE, &[3], Some(9)), row(name, "omission", lines, None)]
        });
        let omissions = Omissions::among(rows.collect());
        let unseen = found(&omissions.of("omission", Group::Unseen));
        assert_eq!(
            (unseen.as_str(), found(&omissions.of("omission", Group::All)).as_str()),
            ("1 of 2 (1)", "2 of 3 (2)")
        );
        assert_eq!(omissions.by_kind().rows[0], ["unseen", "2", "1 of 2 (1)"]);
    }

    #[test]
    fn the_paper_s_tables_have_ours_beneath() {
        let mut rows = vec![row("a", PLAIN_SLICE, &[3, 4], Some(9)), row("b", PLAIN_SLICE, &[3], Some(5))];
        rows.push(Row { experiments: 6, ..row("a", "omission", &[3, 7], Some(9)) });
        rows.push(Row { steps: Some(Steps { pruned: 4, left: 2 }), ..row("b", "omission", &[4], Some(5)) });
        let [sizes, effect] = <[Table; 2]>::try_from(tables(&Omissions::among(rows))).ok().unwrap();
        assert_eq!(
            sizes.rows[9..],
            [["ours, 2 faults", "3/10", "1/5", "-/4"], ["ours, 2 missing else", "3/10", "1/5", "-/4"]]
        );
        assert_eq!(effect.rows[9][1..], ["0", "1/2", "1 of 2 (1)"]);
        assert_eq!(effect.rows.last().unwrap()[0], "faultline why: not asked");
    }
}

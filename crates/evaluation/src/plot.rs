//! Plots of lines on axes that are linear or logarithmic, as SVG.

use std::fmt::Write;

pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// What a plot says beside its lines.
pub struct Labels<'a> {
    pub title: &'a str,
    pub below: &'a str,
}

/// How values become places on an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Powers of ten around all values.
    Logarithmic,
    /// From nothing to all.
    Share,
}

/// Whether the points themselves are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Points {
    Drawn,
    Joined,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const MARGIN: f64 = 60.0;
const COLOURS: [&str; 12] = [
    "#1b6ca8", "#c8553d", "#588157", "#6d597a", "#b8860b", "#2a9d8f", "#8d5524", "#d62976", "#555555", "#7cb518",
    "#003049", "#f77f00",
];

/// A range of powers of ten, or of tenths of the whole.
struct Axis {
    scale: Scale,
    first: i32,
    last: i32,
}

impl Axis {
    fn around(scale: Scale, values: impl Iterator<Item = f64>) -> Axis {
        if scale == Scale::Share {
            return Axis { scale, first: 0, last: 10 };
        }
        let logs: Vec<f64> = values.filter(|v| *v > 0.0).map(f64::log10).collect();
        let first = logs.iter().copied().fold(f64::INFINITY, f64::min);
        let last = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if logs.is_empty() {
            return Axis { scale, first: 0, last: 1 };
        }
        let (first, last) = (first.floor() as i32, last.ceil() as i32);
        Axis { scale, first, last: last.max(first + 1) }
    }

    /// From 0 to 1.
    fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Logarithmic => (value.max(1e-9).log10() - f64::from(self.first)) / f64::from(self.last - self.first),
            Scale::Share => value,
        }
    }

    /// Values with a line across the plot, and how each is written.
    fn marks(&self) -> Vec<(f64, String)> {
        let mark = |number: i32| match self.scale {
            Scale::Logarithmic => (10_f64.powi(number), format!("10<tspan dy=\"-5\" font-size=\"9\">{number}</tspan>")),
            Scale::Share => (f64::from(number) / 10.0, format!("{} %", 10 * number)),
        };
        (self.first..=self.last).map(mark).collect()
    }
}

/// A plot with logarithmic axes.
pub fn plot(title: &str, below: &str, series: &[Series]) -> String {
    draw(&Labels { title, below }, [Scale::Logarithmic; 2], Points::Drawn, series)
}

/// `scales`: across and up.
pub fn draw(labels: &Labels<'_>, scales: [Scale; 2], drawn: Points, series: &[Series]) -> String {
    let points = || series.iter().flat_map(|s| s.points.iter());
    let across = Axis::around(scales[0], points().map(|p| p.0));
    let up = Axis::around(scales[1], points().map(|p| p.1));
    let x = |value: f64| MARGIN + across.place(value) * (WIDTH - 2.0 * MARGIN);
    let y = |value: f64| HEIGHT - MARGIN - up.place(value) * (HEIGHT - 2.0 * MARGIN);
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let mut line = |text: String| {
        let _ = writeln!(svg, "{text}");
    };
    let (middle, bottom, right) = (WIDTH / 2.0, HEIGHT - MARGIN, WIDTH - MARGIN);
    line(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">"
    ));
    line("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>".into());
    line(format!("<text x=\"{middle}\" y=\"24\" text-anchor=\"middle\" font-size=\"15\">{}</text>", labels.title));
    line(format!("<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>", HEIGHT - 14.0, labels.below));
    for (value, text) in across.marks() {
        let at = x(value);
        line(format!("<line x1=\"{at:.1}\" y1=\"{MARGIN}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/>"));
        line(format!("<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>", bottom + 18.0));
    }
    for (value, text) in up.marks() {
        let at = y(value);
        line(format!("<line x1=\"{MARGIN}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>"));
        line(format!("<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>", MARGIN - 6.0, at + 4.0));
    }
    // One without points keeps its colour for other plots of the same.
    let coloured = series.iter().zip(COLOURS.iter().cycle()).filter(|(series, _)| !series.points.is_empty());
    for (position, (series, colour)) in coloured.enumerate() {
        let path: Vec<String> = series.points.iter().map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1))).collect();
        line(format!("<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>", path.join(" ")));
        for p in series.points.iter().filter(|_| drawn == Points::Drawn) {
            line(format!("<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"/>", x(p.0), y(p.1)));
        }
        // Lines that rise leave the lower right corner free; others the upper left one.
        let (place, anchor) = match drawn {
            Points::Drawn => ((MARGIN + 10.0, MARGIN + 16.0 * position as f64 + 14.0), "start"),
            Points::Joined => ((right - 8.0, bottom - 16.0 * position as f64 - 8.0), "end"),
        };
        let (left, top) = place;
        let name = &series.name;
        line(format!("<text x=\"{left}\" y=\"{top}\" fill=\"{colour}\" text-anchor=\"{anchor}\">{name}</text>"));
    }
    line("</svg>".into());
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_drawn_from_corner_to_corner() {
        let series = [Series { name: "all".into(), points: vec![(0.0, 0.0), (1.0, 1.0)] }];
        let labels = Labels { title: "t", below: "b" };
        let svg = draw(&labels, [Scale::Share; 2], Points::Joined, &series);
        assert!(svg.contains("points=\"60.0,340.0 580.0,60.0\""));
        assert!(!svg.contains("<circle"));
    }
}

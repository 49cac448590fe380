//! Plots of a few points on logarithmic axes, as SVG.

use std::fmt::Write;

pub struct Series {
    pub name: &'static str,
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const MARGIN: f64 = 60.0;
const COLOURS: [&str; 4] = ["#1b6ca8", "#c8553d", "#588157", "#6d597a"];

/// A range of powers of ten.
struct Axis {
    first: i32,
    last: i32,
}

impl Axis {
    fn around(values: impl Iterator<Item = f64>) -> Axis {
        let logs: Vec<f64> = values.filter(|v| *v > 0.0).map(f64::log10).collect();
        let first = logs.iter().copied().fold(f64::INFINITY, f64::min);
        let last = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if logs.is_empty() {
            return Axis { first: 0, last: 1 };
        }
        let (first, last) = (first.floor() as i32, last.ceil() as i32);
        Axis { first, last: last.max(first + 1) }
    }

    /// From 0 to 1.
    fn place(&self, value: f64) -> f64 {
        (value.max(1e-9).log10() - f64::from(self.first)) / f64::from(self.last - self.first)
    }
}

pub fn plot(title: &str, below: &str, series: &[Series]) -> String {
    let points = || series.iter().flat_map(|s| s.points.iter());
    let across = Axis::around(points().map(|p| p.0));
    let up = Axis::around(points().map(|p| p.1));
    let x = |value: f64| MARGIN + across.place(value) * (WIDTH - 2.0 * MARGIN);
    let y = |value: f64| HEIGHT - MARGIN - up.place(value) * (HEIGHT - 2.0 * MARGIN);
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let mut line = |text: String| {
        let _ = writeln!(svg, "{text}");
    };
    line(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">"
    ));
    line("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>".into());
    line(format!("<text x=\"{}\" y=\"24\" text-anchor=\"middle\" font-size=\"15\">{title}</text>", WIDTH / 2.0));
    line(format!("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{below}</text>", WIDTH / 2.0, HEIGHT - 14.0));
    for power in across.first..=across.last {
        let at = x(10_f64.powi(power));
        line(format!("<line x1=\"{at}\" y1=\"{MARGIN}\" x2=\"{at}\" y2=\"{}\" stroke=\"#ddd\"/>", HEIGHT - MARGIN));
        let text = format!("10<tspan dy=\"-5\" font-size=\"9\">{power}</tspan>");
        line(format!("<text x=\"{at}\" y=\"{}\" text-anchor=\"middle\">{text}</text>", HEIGHT - MARGIN + 18.0));
    }
    for power in up.first..=up.last {
        let at = y(10_f64.powi(power));
        line(format!("<line x1=\"{MARGIN}\" y1=\"{at}\" x2=\"{}\" y2=\"{at}\" stroke=\"#ddd\"/>", WIDTH - MARGIN));
        line(format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            MARGIN - 6.0,
            at + 4.0,
            10_f64.powi(power)
        ));
    }
    for (position, (series, colour)) in series.iter().zip(COLOURS).enumerate() {
        let path: Vec<String> = series.points.iter().map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1))).collect();
        line(format!("<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>", path.join(" ")));
        for p in &series.points {
            line(format!("<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"/>", x(p.0), y(p.1)));
        }
        let at = MARGIN + 16.0 * position as f64;
        line(format!("<text x=\"{}\" y=\"{}\" fill=\"{colour}\">{}</text>", MARGIN + 10.0, at + 14.0, series.name));
    }
    line("</svg>".into());
    svg
}

//! Small charts as SVG text: enough for a loss curve and a few bars, and no library.

use std::fmt::Write as _;

/// Width of a chart in user units.
pub(crate) const WIDTH: f64 = 640.0;
/// Height of a chart.
pub(crate) const HEIGHT: f64 = 320.0;
/// Room for numbers left of and below the plot.
const MARGIN: f64 = 52.0;
/// Room above and right of the plot.
const EDGE: f64 = 28.0;

/// A plot under construction: axes first, then marks, in data coordinates.
pub(crate) struct Chart {
    body: String,
    x: (f64, f64),
    y: (f64, f64),
    labels: usize,
}

impl Chart {
    /// Axes over these ranges; an empty range is widened so that nothing divides by zero.
    pub(crate) fn new(title: &str, x: (f64, f64), y: (f64, f64)) -> Self {
        let widen =
            |(low, high): (f64, f64)| if high > low { (low, high) } else { (low, low + 1.0) };
        let mut chart = Self { body: String::new(), x: widen(x), y: widen(y), labels: 0 };
        let _ = write!(
            chart.body,
            "<text x=\"{}\" y=\"18\" font-size=\"14\" text-anchor=\"middle\">{}</text>",
            WIDTH / 2.0,
            escape(title)
        );
        for i in 0..=4 {
            let part = f64::from(i) / 4.0;
            let (vx, vy) = (
                chart.x.0 + part * (chart.x.1 - chart.x.0),
                chart.y.0 + part * (chart.y.1 - chart.y.0),
            );
            let (px, py) = chart.place(vx, vy);
            let _ = write!(
                chart.body,
                "<line x1=\"{MARGIN}\" y1=\"{py:.1}\" x2=\"{:.1}\" y2=\"{py:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
                 <text x=\"{px:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                WIDTH - EDGE,
                MARGIN - 6.0,
                py + 4.0,
                number(vy),
                HEIGHT - MARGIN + 18.0,
                number(vx),
            );
        }
        chart
    }

    fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let across = (x - self.x.0) / (self.x.1 - self.x.0);
        let up = (y - self.y.0) / (self.y.1 - self.y.0);
        (MARGIN + across * (WIDTH - MARGIN - EDGE), HEIGHT - MARGIN - up * (HEIGHT - MARGIN - EDGE))
    }

    /// A line through points, named in the legend.
    pub(crate) fn line(&mut self, name: &str, color: &str, points: &[(f64, f64)]) {
        let placed: Vec<String> = points
            .iter()
            .map(|&(x, y)| {
                let (px, py) = self.place(x, y.clamp(self.y.0, self.y.1));
                format!("{px:.1},{py:.1}")
            })
            .collect();
        let _ = write!(
            self.body,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\" points=\"{}\"/>",
            placed.join(" ")
        );
        self.legend(name, color);
    }

    /// A bar from zero (or the lower edge) to `y`, between two places on the x axis.
    pub(crate) fn bar(&mut self, from: f64, to: f64, y: f64, color: &str) {
        let (left, top) = self.place(from, y.clamp(self.y.0, self.y.1));
        let (right, bottom) = self.place(to, self.y.0.max(0.0));
        let _ = write!(
            self.body,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{color}\"/>",
            (right - left).max(0.0),
            (bottom - top).max(0.0)
        );
    }

    /// A name in the legend.
    pub(crate) fn legend(&mut self, name: &str, color: &str) {
        let y = EDGE + 12.0 + 16.0 * self.labels as f64;
        self.labels += 1;
        let _ = write!(
            self.body,
            "<text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"{color}\">{}</text>",
            WIDTH - EDGE - 6.0,
            escape(name)
        );
    }

    /// The chart's marks, to be placed in a document by [`document`].
    pub(crate) fn finish(self) -> String {
        self.body
    }
}

/// Charts below each other as one SVG file.
pub(crate) fn document(charts: &[String]) -> String {
    let height = HEIGHT * charts.len() as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\" fill=\"#333\">\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>"
    );
    for (i, chart) in charts.iter().enumerate() {
        let _ = write!(text, "<g transform=\"translate(0 {})\">{chart}</g>", HEIGHT * i as f64);
    }
    text.push_str("</svg>\n");
    text
}

/// A number short enough for an axis.
fn number(x: f64) -> String {
    match x.abs() {
        a if a >= 1e6 => format!("{:.1}M", x / 1e6),
        a if a >= 100.0 => format!("{x:.0}"),
        a if a >= 1.0 => format!("{x:.1}"),
        0.0 => "0".into(),
        _ => format!("{x:.4}"),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{Chart, document};

    #[test]
    fn charts_hold_their_marks_inside_the_frame() {
        let mut chart = Chart::new("a < b", (0.0, 10.0), (0.0, 1.0));
        chart.line("loss", "#00f", &[(0.0, 0.5), (10.0, 7.0)]);
        chart.bar(1.0, 2.0, 0.25, "#f00");
        let text = document(&[chart.finish()]);
        assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"));
        assert!(text.contains("a &lt; b") && text.contains("polyline") && text.contains("<rect"));
        // The second point lies above the frame and is drawn on its edge.
        assert!(text.contains("612.0,28.0"), "{text}");
    }

    #[test]
    fn empty_ranges_do_not_divide_by_zero() {
        let text = document(&[Chart::new("flat", (3.0, 3.0), (0.0, 0.0)).finish()]);
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }
}

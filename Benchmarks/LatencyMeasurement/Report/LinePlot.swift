// SPDX-License-Identifier: Apache-2.0

/// Lines in a coordinate system, drawn as SVG within an HTML page.
///
/// Colors come from the page's stylesheet by class, so that they follow light and dark mode. No resource is loaded.
package struct LinePlot: Sendable {
    /// A line.
    package struct Series: Sendable {
        /// The name in the legend.
        package let name: String
        /// The points, from left to right.
        package let points: [(x: Double, y: Double)]

        /// Creates a line.
        package init(name: String, points: [(x: Double, y: Double)]) {
            self.name = name
            self.points = points
        }
    }

    /// The number of colors, which further lines reuse.
    package static let colours = 8

    private static let width = 720.0
    private static let height = 300.0
    private static let left = 64.0
    private static let right = 16.0
    private static let top = 16.0
    private static let bottom = 44.0

    private let title: String
    private let xTitle: String
    private let yTitle: String
    private let xScale: PlotScale
    private let yScale: PlotScale
    private let series: [Series]

    /// Creates a plot that contains all points.
    package init(
        title: String, xTitle: String, yTitle: String, x: PlotScale.Kind, y: PlotScale.Kind, series: [Series]
    ) {
        self.title = title
        self.xTitle = xTitle
        self.yTitle = yTitle
        self.series = series.filter { !$0.points.isEmpty }
        xScale = PlotScale(x, holding: self.series.flatMap { $0.points.map { $0.x } })
        yScale = PlotScale(y, holding: self.series.flatMap { $0.points.map { $0.y } })
    }

    /// The plot with its title and legend; empty if there are no points.
    package var html: String {
        guard !series.isEmpty else { return "" }
        var parts = ["<figure>", "<figcaption>\(HTMLText.escaped(title))</figcaption>"]
        parts.append(
            "<svg viewBox=\"0 0 \(Self.text(Self.width)) \(Self.text(Self.height))\" role=\"img\" "
                + "aria-label=\"\(HTMLText.escaped(title))\">")
        parts += grid
        for (number, line) in series.enumerated() { parts.append(path(line, number)) }
        parts.append("</svg>")
        let legend = series.enumerated().map { number, line in
            "<span class=\"key c\(number % Self.colours)\">\(HTMLText.escaped(line.name))</span>"
        }
        parts.append("<p class=\"legend\">\(legend.joined(separator: " "))</p>")
        parts.append("</figure>")
        return parts.joined(separator: "\n")
    }

    private var grid: [String] {
        let right = Self.width - Self.right
        let bottom = Self.height - Self.bottom
        var parts: [String] = []
        for mark in xScale.marks {
            let x = Self.text(Self.x(mark.place))
            parts.append(
                "<line class=\"grid\" x1=\"\(x)\" y1=\"\(Self.text(Self.top))\" "
                    + "x2=\"\(x)\" y2=\"\(Self.text(bottom))\"/>")
            parts.append(label(mark.label, x: Self.x(mark.place), y: bottom + 16, anchor: "middle"))
        }
        for mark in yScale.marks {
            let y = Self.y(mark.place)
            parts.append(
                "<line class=\"grid\" x1=\"\(Self.text(Self.left))\" y1=\"\(Self.text(y))\" "
                    + "x2=\"\(Self.text(right))\" y2=\"\(Self.text(y))\"/>")
            parts.append(label(mark.label, x: Self.left - 6, y: y + 4, anchor: "end"))
        }
        parts.append(label(xTitle, x: (Self.left + right) / 2, y: Self.height - 8, anchor: "middle"))
        let middle = (Self.top + bottom) / 2
        parts.append(
            "<text class=\"label\" text-anchor=\"middle\" transform=\"translate(14 \(Self.text(middle))) rotate(-90)\">"
                + "\(HTMLText.escaped(yTitle))</text>")
        return parts
    }

    private func label(_ text: String, x: Double, y: Double, anchor: String) -> String {
        "<text class=\"label\" text-anchor=\"\(anchor)\" x=\"\(Self.text(x))\" y=\"\(Self.text(y))\">"
            + "\(HTMLText.escaped(text))</text>"
    }

    private func path(_ line: Series, _ number: Int) -> String {
        let points = line.points.map { point in
            "\(Self.text(Self.x(xScale.place(point.x)))),\(Self.text(Self.y(yScale.place(point.y))))"
        }
        let colour = "c\(number % Self.colours)"
        // A single point would not be visible as a line.
        if points.count == 1, let point = line.points.first {
            return
                "<circle class=\"dot \(colour)\" cx=\"\(Self.text(Self.x(xScale.place(point.x))))\" "
                + "cy=\"\(Self.text(Self.y(yScale.place(point.y))))\" r=\"3\"/>"
        }
        return "<polyline class=\"line \(colour)\" points=\"\(points.joined(separator: " "))\"/>"
    }

    private static func x(_ place: Double) -> Double { left + place * (width - left - right) }

    private static func y(_ place: Double) -> Double { height - bottom - place * (height - top - bottom) }

    private static func text(_ value: Double) -> String { Figure.rounded((value * 10).rounded() / 10) }
}

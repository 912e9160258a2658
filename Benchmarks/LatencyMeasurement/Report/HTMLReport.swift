// SPDX-License-Identifier: Apache-2.0

/// A result as an HTML page with tables, percentile plots and time series, without network access and scripts.
package struct HTMLReport: Sendable {
    /// The maximum number of lines in a plot of several measurements.
    private static let mostLines = LinePlot.colours

    private let file: ResultFile

    /// Creates the report of a result.
    package init(_ file: ResultFile) {
        self.file = file
    }

    /// The page.
    package var html: String {
        var parts = [
            "<!doctype html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
            "<title>Callback latency</title>", "<style>", Self.stylesheet, "</style>", "</head>", "<body>", "<main>",
            "<h1>Callback latency</h1>", machine,
        ]
        if file.runs.count > 1 { parts.append(overview) }
        for run in file.runs { parts.append(section(run)) }
        parts += ["</main>", "</body>", "</html>", ""]
        return parts.joined(separator: "\n")
    }

    private var machine: String {
        let machine = file.machine
        var facts = [
            ("Made", file.runs.map(\.began).min().map { CivilTime.text($0) } ?? "-"),
            ("Processor", machine.processor),
            ("Memory", "\(Figure.rounded(machine.memory.rounded())) GB"),
            ("System", machine.system),
            ("Compiler", machine.compiler),
            ("Load average before", machine.loadAverage),
        ]
        if !machine.targetProcessors.isEmpty { facts.append(("Target on processors", machine.targetProcessors)) }
        if !machine.ownProcessors.isEmpty {
            facts.append(("Generator and provider on processors", machine.ownProcessors))
        }
        let rows = facts.map { fact in
            "<tr><th scope=\"row\">\(HTMLText.escaped(fact.0))</th><td>\(HTMLText.escaped(fact.1))</td></tr>"
        }
        return "<table class=\"facts\">\n\(rows.joined(separator: "\n"))\n</table>"
    }

    private var overview: String {
        let series = file.runs.compactMap { run -> LinePlot.Series? in
            guard let latency = run.latency(.callback) ?? run.latency(.start) ?? run.operationLatency else {
                return nil
            }
            return LinePlot.Series(name: Self.name(run), points: Self.points(latency))
        }
        let isOfAccounts = file.runs.allSatisfy { $0.shape.operation != nil }
        let plot = LinePlot(
            title: isOfAccounts
                ? "Operations on accounts, all measurements"
                : "Callback (start where nothing else was driven), all measurements",
            xTitle: "percentile", yTitle: "ms", x: .percentile, y: .logarithmic,
            series: Array(series.prefix(Self.mostLines)))
        return "<section>\n<h2>All measurements</h2>\n\(plot.html)\n</section>"
    }

    private func section(_ run: MeasuredRun) -> String {
        let distribution = SignInPart.allCases.compactMap { part in
            run.latency(part).map { LinePlot.Series(name: part.rawValue, points: Self.points($0)) }
        }
        let percentiles = LinePlot(
            title: "Latency by percentile", xTitle: "percentile", yTitle: "ms", x: .percentile, y: .logarithmic,
            series: distribution)
        let filled = run.series.enumerated().filter { $0.element.count > 0 }
        func line(_ name: String, _ value: (SecondSummary) -> Double) -> LinePlot.Series {
            LinePlot.Series(name: name, points: filled.map { (x: Double($0.offset), y: value($0.element)) })
        }
        let time = LinePlot(
            title: run.shape.operation == nil
                ? "Whole sign-ins by the second" : "All \(run.shape.plural) by the second",
            xTitle: "seconds", yTitle: "ms", x: .linear, y: .logarithmic,
            series: [line("p50") { $0.p50 }, line("p99") { $0.p99 }, line("max") { $0.maximum }])
        let rate = LinePlot(
            title: "Verified \(run.shape.operation == nil ? "sign-ins" : run.shape.plural) in each second",
            xTitle: "seconds", yTitle: "a second", x: .linear, y: .linear,
            series: [line("verified") { Double($0.count) }])
        return [
            "<section>", "<h2>\(HTMLText.escaped(Self.name(run)))</h2>",
            "<pre>\(HTMLText.escaped(RunTable.text(run)))</pre>", percentiles.html, time.html, rate.html, "</section>",
        ].joined(separator: "\n")
    }

    private static func name(_ run: MeasuredRun) -> String {
        run.round > 1 ? "\(run.target): \(run.shape.title), round \(run.round)" : "\(run.target): \(run.shape.title)"
    }

    private static func points(_ latency: LatencySummary) -> [(x: Double, y: Double)] {
        latency.curve.map { (x: $0.percentile, y: $0.milliseconds) }
    }

    /// Light and dark by the reader's setting. The colors are distinguishable with red-green color blindness.
    private static let stylesheet = """
        :root { color-scheme: light dark; --text: #1b1b1f; --quiet: #5d5d66; --rule: #d9d9e0; --page: #ffffff;
          --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #cc79a7; --c4: #8a6d00; --c5: #56b4e9; --c6: #7a4fbf;
          --c7: #555555; }
        @media (prefers-color-scheme: dark) { :root { --text: #ececf1; --quiet: #a9a9b4; --rule: #3a3a42;
          --page: #16161a; --c0: #4aa8e0; --c1: #ff8a3d; --c2: #35c79c; --c3: #e79cc4; --c4: #e6c14a; --c5: #8fd0f5;
          --c6: #b391f0; --c7: #b5b5b5; } }
        body { margin: 0; background: var(--page); color: var(--text);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
        main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
        h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin-top: 2.5rem; }
        table.facts { border-collapse: collapse; } table.facts th { text-align: left; font-weight: normal;
          color: var(--quiet); padding-right: 1rem; } table.facts td { font-variant-numeric: tabular-nums; }
        pre { overflow-x: auto; padding: 0.75rem; border: 1px solid var(--rule); border-radius: 6px;
          font-size: 0.8rem; line-height: 1.45; }
        figure { margin: 1.5rem 0; } figcaption { font-weight: 600; }
        svg { width: 100%; height: auto; } .grid { stroke: var(--rule); stroke-width: 1; }
        .label { fill: var(--quiet); font-size: 11px; } .line { fill: none; stroke-width: 2; stroke: currentColor; }
        .dot { fill: currentColor; } .legend { margin: 0.25rem 0; font-size: 0.85rem; }
        .key::before { content: ""; display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.35em;
          border-radius: 2px; background: currentColor; } .key { margin-right: 1rem; }
        .c0 { color: var(--c0); } .c1 { color: var(--c1); } .c2 { color: var(--c2); } .c3 { color: var(--c3); }
        .c4 { color: var(--c4); } .c5 { color: var(--c5); } .c6 { color: var(--c6); } .c7 { color: var(--c7); }
        """
}

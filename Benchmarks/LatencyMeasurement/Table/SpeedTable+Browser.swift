// SPDX-License-Identifier: Apache-2.0

extension SpeedTable {
    /// The target that checks nothing on Go's `net/http`.
    package static let goRedirect = "go-redirect"
    /// The peer that a browser's sign-in has goals to.
    package static let goPeer = "go-oidc"

    /// The rows of browsers that come on new connections, TLS 1.3 and HTTP/2. Goals are those of X25519, which every target
    /// negotiates.
    var browsers: [TableRow] {
        let start = [TableGoal(.target(Self.goRedirect), atMost: 0.75, must: 0.9)]
        let signIn = [
            TableGoal(.target(Self.goPeer), atMost: 0.65, must: 0.85),
            TableGoal(.target(Self.floor), atMost: 1.25, must: 1.5),
        ]
        return [
            cost("CPU ms per start on a new connection, X25519", .newStart, goals: start),
            cost("the same, resumed", .resumedStart, goals: start),
            cost("CPU ms per start on a new connection, X25519MLKEM768", .hybridStart),
            cost(
                "CPU ms per sign-in of a browser (start new, callback resumed, redemption), X25519", .browser,
                goals: signIn, isInSummary: true),
            cost("the same, callback on the connection of the start", .browserKept),
            cost("the same, X25519MLKEM768", .hybridBrowser),
            row("handshakes a second seen, X25519, \(concurrency) at a time", .handshakes, .browser),
            row("start p50 with the handshake, one browser at a time, X25519MLKEM768, ms", .startP50, .oneBrowser),
            row("start p99, the same, ms", .startP99, .oneBrowser),
            row("callback p50 with the resumed handshake, the same, ms", .callbackP50, .oneBrowser),
            row("callback p99, the same, ms", .callbackP99, .oneBrowser),
            TableRow(
                "KB per idle HTTP/2 connection after a start, \(Figure.grouped(UInt64(TableStep.idleCount))) of them",
                .browserMemory,
                .measured(.residentPerConnection, .idleBrowsers, algorithm: algorithms.first ?? "-"),
                goals: [TableGoal(atMost: 12, must: 18)]),
        ]
    }

    private func cost(
        _ title: String, _ step: TableStep, goals: [TableGoal] = [], isInSummary: Bool = false
    ) -> TableRow {
        TableRow(
            title, .browser, .measured(.processorTime, step, algorithm: algorithms.first ?? "-"), goals: goals,
            isInSummary: isInSummary)
    }

    private func row(_ title: String, _ metric: Metric, _ step: TableStep) -> TableRow {
        TableRow(title, .browser, .measured(metric, step, algorithm: algorithms.first ?? "-"))
    }
}

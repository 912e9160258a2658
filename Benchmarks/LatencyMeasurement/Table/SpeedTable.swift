// SPDX-License-Identifier: Apache-2.0

/// The rows of the README's table, with the goals for the speed of this broker.
package struct SpeedTable: Sendable {
    /// The number of abandoned logins that the goal refers to.
    package static let abandonedGoal: UInt64 = 1_000_000
    /// The target that checks nothing, which is the lower limit for servers on SwiftNIO.
    package static let floor = "floor"

    /// The algorithms that were measured. Most rows use only the first.
    package let algorithms: [String]
    /// The number of concurrent sign-ins in loads with many.
    package let concurrency: Int
    /// The measured loads. Rows of others are left out.
    package let loads: Set<TableLoad>
    /// The sign-ins per second of the open loop.
    package let openLoopRate: Int
    /// The number of abandoned logins.
    package let abandoned: UInt64

    /// Creates the rows for some measurements.
    ///
    /// - Parameters:
    ///   - algorithms: The algorithms that were measured.
    ///   - concurrency: The number of concurrent sign-ins in loads with many.
    ///   - loads: The measured loads.
    ///   - openLoopRate: The sign-ins per second of the open loop.
    ///   - abandoned: The number of abandoned logins, of the target with the fewest.
    package init(
        algorithms: [String], concurrency: Int, loads: Set<TableLoad>, openLoopRate: Int, abandoned: UInt64
    ) {
        self.openLoopRate = openLoopRate
        self.algorithms = algorithms
        self.concurrency = concurrency
        self.loads = loads
        self.abandoned = abandoned
    }

    /// The rows under their headings.
    package var parts: [TablePart] {
        let all = [
            TablePart(title: "What a sign-in costs", rows: cost),
            TablePart(title: "What a browser's connections cost, \(first)", rows: browsers),
            TablePart(title: "How long the browser waits, \(first)", rows: latency),
            TablePart(title: "What it keeps in memory, \(first)", rows: memory),
            TablePart(title: "Whether the cost stays flat, \(first)", rows: flatness),
        ]
        return all.compactMap { part -> TablePart? in
            let rows = part.rows.filter { loads.contains($0.load) }
            return rows.isEmpty ? nil : TablePart(title: part.title, rows: rows)
        }
    }

    private var first: String { algorithms.first ?? "-" }
    private var rate: String { Figure.grouped(UInt64(max(openLoopRate, 0))) }

    private func measured(_ metric: Metric, _ step: TableStep) -> TableFigure {
        .measured(metric, step, algorithm: first)
    }

    private var cost: [TableRow] {
        let signIns = algorithms.map { algorithm in
            TableRow(
                "CPU ms per sign-in, \(algorithm), \(concurrency) at a time", .signIn,
                .measured(.processorTime, .signIn, algorithm: algorithm), goals: Self.costGoals(algorithm),
                isInSummary: algorithm != first || !loads.contains(.browser))
        }
        let onHTTPS = measured(.processorTime, .httpsProvider)
        let others: [TableRow] = [
            TableRow(
                "CPU ms per start", .start, measured(.processorTime, .start),
                goals: [TableGoal(.target(Self.floor), atMost: 1.6)], isInSummary: true),
            TableRow(
                "CPU ms per redemption", .redeem, measured(.processorTime, .redemption),
                goals: [TableGoal(atMost: 0.075)]),
            TableRow("CPU ms per sign-in, \(first), provider on HTTPS", .httpsProvider, onHTTPS),
            TableRow(
                "the same to plain HTTP", .httpsProvider,
                .ratio(onHTTPS, to: measured(.processorTime, .plainProvider)), goals: [TableGoal(atMost: 1.1)]),
            TableRow(
                "new HTTPS connections to the provider per 1,000 sign-ins", .httpsProvider,
                measured(.providerConnections, .httpsProvider), goals: [TableGoal(atMost: 1)]),
            TableRow(
                "CPU ms per sign-in, \(first), TLS and HTTP/2 to the browser", .http2,
                measured(.processorTime, .http2), goals: [TableGoal(.bestPeer, atMost: 0.6)]),
            TableRow("sign-ins a second seen, \(concurrency) at a time", .signIn, measured(.throughput, .signIn)),
        ]
        return signIns + others
    }

    private var latency: [TableRow] {
        [
            TableRow(
                "callback p50, one user at a time, ms", .one, measured(.callbackP50, .one),
                goals: [TableGoal(.target(Self.floor), atMost: 1.6)], isInSummary: true),
            TableRow(
                "callback p99, \(concurrency) at a time, ms", .signIn, measured(.callbackP99, .signIn),
                goals: [TableGoal(.bestPeer, atMost: 0.5)], isInSummary: true),
            TableRow(
                "callback p99, open loop at \(rate) sign-ins a second, ms", .rate, measured(.callbackP99, .rate),
                goals: [TableGoal(.bestPeer, atMost: 0.7), TableGoal(.target(Self.floor), atMost: 1.3)],
                isInSummary: true),
            TableRow("callback p99.9, the same, ms", .rate, measured(.callbackP999, .rate)),
            TableRow("start p50, one user at a time, ms", .one, measured(.startP50, .one)),
            TableRow(
                "first sign-in after launch, ms", .signIn, .launched(.firstSignIn),
                goals: [TableGoal(atMost: 100)], isInSummary: true),
        ]
    }

    private var memory: [TableRow] {
        let count = abandoned > 0 ? "\(Figure.grouped(abandoned)) abandoned logins" : "abandoned logins"
        let isEnough = abandoned >= Self.abandonedGoal
        return [
            TableRow("RSS idle, MB", .signIn, measured(.residentIdle, .signIn)),
            TableRow(
                "RSS under load, \(concurrency) at a time, none redeemed, MB", .signIn,
                measured(.residentLoaded, .signIn),
                isInSummary: true),
            TableRow(
                "the same where every credential is redeemed", .redeem, measured(.residentLoaded, .redeemed),
                goals: [TableGoal(atMost: 32)]),
            TableRow(
                "RSS growth over \(count), MB", .abandoned, measured(.residentGrowth, .abandoned),
                goals: [TableGoal(atMost: 1)],
                caveat: isEnough ? nil : "fewer than \(Figure.grouped(Self.abandonedGoal))"),
        ]
    }

    private var flatness: [TableRow] {
        let providers: [(TableStep, String)] = [
            (.oneProvider, "1 provider"), (.tenProviders, "10 providers"), (.thousandProviders, "1,000 providers"),
        ]
        let connections: [(TableStep, String)] = [
            (.tenConnections, "10 open connections"), (.thousandConnections, "1,000 open connections"),
            (.tenThousandConnections, "10,000 open connections"),
        ]
        return steady(.providers, providers) + steady(.connections, connections)
    }

    /// Returns a row for each step, and one for the spread of the steps.
    private func steady(_ load: TableLoad, _ steps: [(TableStep, String)]) -> [TableRow] {
        var rows: [TableRow] = []
        var figures: [TableFigure] = []
        for (step, name) in steps {
            let figure = measured(.processorTime, step)
            rows.append(TableRow("CPU ms per sign-in, \(name)", load, figure))
            figures.append(figure)
        }
        rows.append(
            TableRow("largest to smallest of the three", load, .spread(figures), goals: [TableGoal(atMost: 1.15)]))
        return rows
    }

    private static func costGoals(_ algorithm: String) -> [TableGoal] {
        switch algorithm {
        case "RS256":
            [TableGoal(.bestPeer, atMost: 0.4, optimized: 0.33, must: 0.52), TableGoal(.target(floor), atMost: 1.6)]
        case "ES256":
            [TableGoal(.bestPeer, atMost: 0.6, optimized: 0.45, must: 0.74), TableGoal(.target(floor), atMost: 2.4)]
        default: []
        }
    }
}

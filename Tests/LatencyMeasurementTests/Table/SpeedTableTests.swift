// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct SpeedTableTests {
    private static func table(
        _ loads: [TableLoad] = TableLoad.allCases, algorithms: [String] = ["RS256", "ES256"], abandoned: UInt64 = 0
    ) -> SpeedTable {
        SpeedTable(algorithms: algorithms, concurrency: 64, loads: Set(loads), openLoopRate: 2000, abandoned: abandoned)
    }

    private static func rows(_ table: SpeedTable) -> [TableRow] { table.parts.flatMap(\.rows) }

    private static func row(_ title: String, in table: SpeedTable? = nil) throws -> TableRow {
        try #require(rows(table ?? Self.table()).first { $0.title == title })
    }

    @Test func `the cost of a sign-in has a goal and a must, and one to the floor`() throws {
        let rs256 = try Self.row("CPU ms per sign-in, RS256, 64 at a time")
        #expect(
            rs256.goals == [
                TableGoal(.bestPeer, atMost: 0.4, optimized: 0.33, must: 0.52),
                TableGoal(.target("floor"), atMost: 1.6),
            ])
        let es256 = try Self.row("CPU ms per sign-in, ES256, 64 at a time")
        #expect(
            es256.goals == [
                TableGoal(.bestPeer, atMost: 0.6, optimized: 0.45, must: 0.74),
                TableGoal(.target("floor"), atMost: 2.4),
            ])
    }

    /// Each row that a goal was set for, by what it shall not exceed.
    @Test(arguments: [
        ("CPU ms per start", TableGoal(.target("floor"), atMost: 1.6)),
        ("CPU ms per redemption", TableGoal(atMost: 0.075)),
        ("the same to plain HTTP", TableGoal(atMost: 1.1)),
        ("CPU ms per sign-in, RS256, TLS and HTTP/2 to the browser", TableGoal(.bestPeer, atMost: 0.6)),
        ("callback p50, one user at a time, ms", TableGoal(.target("floor"), atMost: 1.6)),
        ("callback p99, 64 at a time, ms", TableGoal(.bestPeer, atMost: 0.5)),
        ("first sign-in after launch, ms", TableGoal(atMost: 100)),
        ("the same where every credential is redeemed", TableGoal(atMost: 32)),
        ("RSS growth over abandoned logins, MB", TableGoal(atMost: 1)),
        ("largest to smallest of the three", TableGoal(atMost: 1.15)),
    ])
    func `each goal has its row`(title: String, goal: TableGoal) throws {
        let row = try Self.row(title)
        #expect(row.goals == [goal])
    }

    @Test func `an open loop has the same rate for all, and memory that waits for redemption no goal`() throws {
        let rate = try Self.row("callback p99, open loop at 2,000 sign-ins a second, ms")
        #expect(rate.goals == [TableGoal(.bestPeer, atMost: 0.7), TableGoal(.target("floor"), atMost: 1.3)])
        #expect(try Self.row("RSS under load, 64 at a time, none redeemed, MB").goals.isEmpty)
    }

    @Test func `the short table has what is asked for first`() {
        #expect(
            Self.rows(Self.table()).filter(\.isInSummary).map(\.title) == [
                "CPU ms per sign-in, ES256, 64 at a time", "CPU ms per start",
                "CPU ms per sign-in of a browser (start new, callback resumed, redemption), X25519",
                "callback p50, one user at a time, ms", "callback p99, 64 at a time, ms",
                "callback p99, open loop at 2,000 sign-ins a second, ms", "first sign-in after launch, ms",
                "RSS under load, 64 at a time, none redeemed, MB",
            ])
    }

    @Test func `connections that stay open are in the short table where those of browsers were not measured`() {
        let rows = Self.rows(Self.table([.signIn])).filter(\.isInSummary).map(\.title)
        #expect(rows.contains("CPU ms per sign-in, RS256, 64 at a time"))
    }

    @Test(arguments: ["CPU ms per start on a new connection, X25519", "the same, resumed"])
    func `a start of a browser has a goal and a must to Go's handler`(title: String) throws {
        #expect(try Self.row(title).goals == [TableGoal(.target("go-redirect"), atMost: 0.75, must: 0.9)])
    }

    @Test func `a sign-in of a browser has goals to go-oidc and to the floor, and only with the group that all have`()
        throws
    {
        let row = try Self.row("CPU ms per sign-in of a browser (start new, callback resumed, redemption), X25519")
        #expect(
            row.goals == [
                TableGoal(.target("go-oidc"), atMost: 0.65, must: 0.85),
                TableGoal(.target("floor"), atMost: 1.25, must: 1.5),
            ])
        #expect(try Self.row("the same, X25519MLKEM768").goals.isEmpty)
        #expect(
            try Self.row("KB per idle HTTP/2 connection after a start, 10,000 of them").goals == [
                TableGoal(atMost: 12, must: 18)
            ])
    }

    @Test func `rows of loads that were left out are left out, and headings without rows`() {
        let table = Self.table([.start])
        #expect(table.parts.map(\.title) == ["What a sign-in costs"])
        #expect(Self.rows(table).map(\.title) == ["CPU ms per start"])
    }

    @Test func `every load has a row, and a row's figure is of its own load`() {
        let rows = Self.rows(Self.table())
        #expect(Set(rows.map(\.load)) == Set(TableLoad.allCases))
        for row in rows {
            let own = Set(row.load.launches.flatMap { $0 })
            #expect(Self.steps(row.figure).isSubset(of: own))
        }
    }

    @Test func `latencies are those of the first algorithm`() throws {
        let row = try Self.row("callback p50, one user at a time, ms", in: Self.table(algorithms: ["ES256"]))
        #expect(row.figure == .measured(.callbackP50, .one, algorithm: "ES256"))
    }

    @Test func `fewer abandoned logins than a million show nothing, and the row says how many there were`() throws {
        let few = try Self.row("RSS growth over 104,000 abandoned logins, MB", in: Self.table(abandoned: 104_000))
        #expect(few.caveat == "fewer than 1,000,000")
        let all = try Self.row(
            "RSS growth over 1,000,000 abandoned logins, MB", in: Self.table(abandoned: 1_000_000))
        #expect(all.caveat == nil)
    }

    private static func steps(_ figure: TableFigure) -> Set<TableStep> {
        switch figure {
        case .measured(_, let step, _): [step]
        case .launched: []
        case .ratio(let one, to: let other): steps(one).union(steps(other))
        case .spread(let figures): Set(figures.flatMap { steps($0) })
        }
    }
}

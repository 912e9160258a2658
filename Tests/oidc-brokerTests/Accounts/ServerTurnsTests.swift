// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import NIOCore
    import Testing

    @testable import oidc_broker

    /// When an import leaves the database to a server.
    struct ServerTurnsTests {
        @Test func `an import pauses before the first batch that begins after each tenth of a second`() {
            let turns = ServerTurns(now: .uptimeNanoseconds(0))
            // In milliseconds. A pause of 5 ms is no part of the tenth of a second that follows it.
            let due = stride(from: Int64(0), to: 400, by: 1).filter {
                turns.isDue(at: .uptimeNanoseconds(0) + .milliseconds($0))
            }
            #expect(due == [100, 205, 310])
        }

        @Test func `a batch that took long is followed by one pause`() {
            let turns = ServerTurns(now: .uptimeNanoseconds(0))
            let later = NIODeadline.uptimeNanoseconds(0) + .seconds(7)
            #expect(turns.isDue(at: later))
            #expect(!turns.isDue(at: later + .milliseconds(104)))
            #expect(turns.isDue(at: later + .milliseconds(105)))
        }
    }
#endif

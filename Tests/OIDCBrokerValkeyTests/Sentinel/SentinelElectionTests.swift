// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerValkey

/// Which of the addresses that sentinels name are tried.
struct SentinelElectionTests {
    private let old = ValkeyAddress.host("10.0.0.1", port: 6379)
    private let new = ValkeyAddress.host("10.0.0.2", port: 6379)

    @Test func `it is decided once most of all sentinels name one address`() {
        var election = SentinelElection(sentinels: 3)
        #expect(election.named(old) == .wait)
        #expect(election.named(new) == .wait)
        #expect(election.named(new) == .decide([new]))
        var quick = SentinelElection(sentinels: 3)
        #expect(quick.named(new) == .wait)
        #expect(quick.named(new) == .decide([new]))
        #expect(quick.named(old) == .wait)
        // An outvoted address is never used.
        var late = SentinelElection(sentinels: 3)
        #expect(late.named(old) == .wait)
        #expect(late.failed(.timeout) == .wait)
        #expect(late.named(old) == .decide([old]))
    }

    @Test func `without a majority all are waited for, and the first one comes first`() {
        var election = SentinelElection(sentinels: 3)
        #expect(election.named(old) == .wait)
        #expect(election.failed(.timeout) == .wait)
        #expect(election.named(new) == .decide([old, new]))
        var five = SentinelElection(sentinels: 5)
        #expect(five.named(old) == .wait)
        #expect(five.named(new) == .wait)
        #expect(five.named(new) == .wait)
        #expect(five.failed(.timeout) == .wait)
        #expect(five.named(nil) == .decide([new, old]))
    }

    @Test func `where none names an address, what a user can put right is the error`() {
        var election = SentinelElection(sentinels: 3)
        #expect(election.failed(.unreachable) == .wait)
        #expect(election.failed(.wrongPassword) == .wait)
        #expect(election.failed(.unreachable) == .fail(.wrongPassword))
        var unknown = SentinelElection(sentinels: 2)
        #expect(unknown.named(nil) == .wait)
        #expect(unknown.named(nil) == .fail(.unexpectedAnswer))
    }
}

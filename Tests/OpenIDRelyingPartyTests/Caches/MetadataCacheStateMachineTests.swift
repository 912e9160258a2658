// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@Suite struct MetadataCacheStateMachineTests {
    /// What a look-up led to, comparable.
    private enum Seen: Equatable {
        case use(String)
        case useAndFetch(String)
        case fetch
        case wait
        case fail(RelyingPartyError)
    }

    /// What a failed fetch led to.
    private enum AfterFailure: Equatable {
        case use(String, [Int])
        case fail([Int])
    }

    /// The machine with waiters numbered in the order in which it asked for them.
    private final class Machine {
        var machine = MetadataCache.StateMachine<Int>()
        var waiters = 0

        func lookUp(at now: Int64) -> Seen {
            var count = waiters
            let action = machine.lookUp(now: now) {
                count += 1
                return count
            }
            waiters = count
            switch action {
            case .use(let metadata): return .use(metadata.issuer)
            case .useAndFetch(let metadata): return .useAndFetch(metadata.issuer)
            case .fetch: return .fetch
            case .wait: return .wait
            case .fail(let error): return .fail(error)
            }
        }

        func fetched(_ issuer: String, at now: Int64, _ cacheControl: String? = nil) throws -> [Int] {
            machine.fetched(
                FetchedDocument(
                    try metadata(issuer), lifetime: FreshnessLifetime(cacheControl: cacheControl)),
                now: now)
        }

        func failed(at now: Int64) -> AfterFailure {
            switch machine.failed(MetadataCacheStateMachineTests.down, now: now) {
            case .use(let metadata, let waiters): .use(metadata.issuer, waiters)
            case .fail(let waiters): .fail(waiters)
            }
        }
    }

    private static let down = RelyingPartyError.status(.discovery, 503)
    private static let old = "https://old.example"
    private static let new = "https://new.example"

    private func filled(at now: Int64) throws -> Machine {
        let machine = Machine()
        _ = machine.lookUp(at: now)
        _ = try machine.fetched(Self.old, at: now)
        return machine
    }

    @Test func `the first lookup fetches, all others wait for that fetch`() throws {
        let machine = Machine()
        #expect(machine.lookUp(at: 1000) == .fetch)
        #expect(machine.lookUp(at: 1000) == .wait)
        #expect(machine.lookUp(at: 1004) == .wait)
        #expect(try machine.fetched(Self.old, at: 1005) == [1, 2, 3])
        #expect(machine.lookUp(at: 1005) == .use(Self.old))
        #expect(machine.waiters == 3)
    }

    @Test func `fresh metadata is used without waiting`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp(at: 1000) == .use(Self.old))
        #expect(machine.lookUp(at: 1000 + 2879) == .use(Self.old))
        #expect(machine.waiters == 1)
    }

    @Test func `ahead of its expiry it is used on while one fetch runs in the background`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp(at: 1000 + 2880) == .useAndFetch(Self.old))
        #expect(machine.lookUp(at: 1000 + 2880) == .use(Self.old))
        #expect(machine.lookUp(at: 1000 + 3000) == .use(Self.old))
        #expect(try machine.fetched(Self.new, at: 1000 + 3001) == [])
        #expect(machine.lookUp(at: 1000 + 3001) == .use(Self.new))
        // Fresh from the end of the fetch on.
        #expect(machine.lookUp(at: 1000 + 3001 + 2879) == .use(Self.new))
        #expect(machine.lookUp(at: 1000 + 3001 + 2880) == .useAndFetch(Self.new))
        #expect(machine.waiters == 1)
    }

    @Test func `after its expiry it is fetched first`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp(at: 1000 + 3600) == .fetch)
        #expect(machine.lookUp(at: 1000 + 3600) == .wait)
        #expect(try machine.fetched(Self.new, at: 1000 + 3601) == [2, 3])
        #expect(machine.lookUp(at: 1000 + 3601) == .use(Self.new))
    }

    @Test func `a lookup after the expiry waits for a fetch that began in the background before`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp(at: 1000 + 3599) == .useAndFetch(Self.old))
        #expect(machine.lookUp(at: 1000 + 3600) == .wait)
        #expect(try machine.fetched(Self.new, at: 1000 + 3601) == [2])
        #expect(machine.lookUp(at: 1000 + 3601) == .use(Self.new))
    }

    @Test func `Cache-Control says when`() throws {
        let machine = Machine()
        #expect(machine.lookUp(at: 1000) == .fetch)
        #expect(try machine.fetched(Self.old, at: 1000, "max-age=600") == [1])
        #expect(machine.lookUp(at: 1479) == .use(Self.old))
        #expect(machine.lookUp(at: 1480) == .useAndFetch(Self.old))
        #expect(machine.failed(at: 1480) == .use(Self.old, []))
        #expect(machine.lookUp(at: 1600) == .fetch)
    }

    @Test(.attack(.staleProviderDocuments))
    func `while refreshing fails it is used for a day, with a pause between the tries`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp(at: 5000) == .fetch)
        #expect(machine.lookUp(at: 5001) == .wait)
        // The waiting lookups get what there is.
        #expect(machine.failed(at: 5005) == .use(Self.old, [2, 3]))
        #expect(machine.lookUp(at: 5005) == .use(Self.old))
        #expect(machine.lookUp(at: 5006) == .use(Self.old))
        #expect(machine.lookUp(at: 5007) == .fetch)
        #expect(machine.failed(at: 5008) == .use(Self.old, [4]))
        // The pause doubles.
        #expect(machine.lookUp(at: 5011) == .use(Self.old))
        #expect(machine.lookUp(at: 5012) == .fetch)
        #expect(machine.failed(at: 5012) == .use(Self.old, [5]))
        #expect(machine.lookUp(at: 1000 + 86_399) == .fetch)
        #expect(machine.failed(at: 1000 + 86_399) == .use(Self.old, [6]))
        #expect(machine.lookUp(at: 1000 + 86_399) == .use(Self.old))
    }

    @Test func `after a day it is not used any more`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp(at: 1000 + 86_400) == .fetch)
        #expect(machine.lookUp(at: 1000 + 86_400) == .wait)
        #expect(machine.failed(at: 1000 + 86_401) == .fail([2, 3]))
        #expect(machine.lookUp(at: 1000 + 86_402) == .fail(Self.down))
        #expect(machine.lookUp(at: 1000 + 86_403) == .fetch)
        #expect(try machine.fetched(Self.new, at: 1000 + 86_404) == [4])
        #expect(machine.lookUp(at: 1000 + 86_404) == .use(Self.new))
    }

    @Test func `a fetch that fails after the day does not yield the old metadata`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp(at: 1000 + 86_399) == .fetch)
        #expect(machine.lookUp(at: 1000 + 86_400) == .wait)
        #expect(machine.failed(at: 1000 + 86_400) == .fail([2, 3]))
    }

    @Test(.attack(.providerDownAtStart))
    func `a failure is repeated for two seconds, then the fetch is tried again and recovers`() throws {
        let machine = Machine()
        #expect(machine.lookUp(at: 1000) == .fetch)
        #expect(machine.lookUp(at: 1001) == .wait)
        #expect(machine.failed(at: 1005) == .fail([1, 2]))
        #expect(machine.lookUp(at: 1005) == .fail(Self.down))
        #expect(machine.lookUp(at: 1006) == .fail(Self.down))
        #expect(machine.lookUp(at: 1007) == .fetch)
        #expect(try machine.fetched(Self.old, at: 1007) == [3])
        #expect(machine.lookUp(at: 1007) == .use(Self.old))
    }

    @Test(.attack(.clockThatGoesBack))
    func `a clock that goes back neither holds a failure nor makes anything fresh`() throws {
        let failing = Machine()
        #expect(failing.lookUp(at: 1000) == .fetch)
        #expect(failing.failed(at: 1000) == .fail([1]))
        #expect(failing.lookUp(at: 400) == .fetch)

        let full = try filled(at: 1000)
        #expect(full.lookUp(at: 400) == .fetch)
        #expect(full.lookUp(at: 999) == .wait)
    }
}

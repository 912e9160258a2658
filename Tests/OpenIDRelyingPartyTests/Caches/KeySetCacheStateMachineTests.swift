// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty
import Testing
import TestingSupport

@Suite struct KeySetCacheStateMachineTests {
    /// What a look-up led to, comparable: a key set by the ids of its keys.
    private enum Seen: Equatable {
        case use([String])
        case useAndFetch([String])
        case fetch
        case wait
        case fail(RelyingPartyError)
    }

    /// What a failed fetch led to.
    private enum AfterFailure: Equatable {
        case use([String], [Int])
        case fail([Int])
    }

    /// The machine with waiters numbered in the order in which it asked for them.
    private final class Machine {
        var machine = KeySetCache.StateMachine<Int>()
        var waiters = 0

        func lookUp(_ keyID: String?, at now: Int64) -> Seen {
            var count = waiters
            let action = machine.lookUp(keyID: keyID.map { WireText($0) }, now: now) {
                count += 1
                return count
            }
            waiters = count
            return seen(action)
        }

        private func seen(_ action: KeySetCache.StateMachine<Int>.LookUpAction) -> Seen {
            switch action {
            case .use(let keys): .use(keys.keys.compactMap { $0.keyID?.makeString() })
            case .useAndFetch(let keys): .useAndFetch(keys.keys.compactMap { $0.keyID?.makeString() })
            case .fetch: .fetch
            case .wait: .wait
            case .fail(let error): .fail(error)
            }
        }

        func lookUpAfterMismatch(namesKey: Bool = false, at now: Int64) -> Seen {
            var count = waiters
            let action = machine.lookUpAfterMismatch(namesKey: namesKey, now: now) {
                count += 1
                return count
            }
            waiters = count
            return seen(action)
        }

        func fetched(_ keyID: String, at now: Int64, _ cacheControl: String? = nil) throws -> [Int] {
            machine.fetched(
                FetchedDocument(try keySet(keyID), lifetime: FreshnessLifetime(cacheControl: cacheControl)), now: now)
        }

        func failed(at now: Int64) -> AfterFailure {
            switch machine.failed(KeySetCacheStateMachineTests.down, now: now) {
            case .use(let keys, let waiters): .use(keys.keys.compactMap { $0.keyID?.makeString() }, waiters)
            case .fail(let waiters): .fail(waiters)
            }
        }
    }

    private static let down = RelyingPartyError.status(.keySet, 503)

    private func filled(at now: Int64) throws -> Machine {
        let machine = Machine()
        _ = machine.lookUp(nil, at: now)
        _ = try machine.fetched("a", at: now)
        return machine
    }

    @Test func `the first lookup fetches, all others wait for that fetch`() throws {
        let machine = Machine()
        #expect(machine.lookUp("a", at: 1000) == .fetch)
        #expect(machine.lookUp("a", at: 1000) == .wait)
        #expect(machine.lookUp("b", at: 1001) == .wait)
        #expect(machine.lookUp(nil, at: 1001) == .wait)
        #expect(try machine.fetched("a", at: 1002) == [1, 2, 3, 4])
        #expect(machine.lookUp("a", at: 1002) == .use(["a"]))
        #expect(machine.lookUp(nil, at: 1002) == .use(["a"]))
        #expect(machine.waiters == 4)
    }

    @Test func `ahead of their expiry the keys are used on while one fetch runs in the background`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp("a", at: 1000 + 2879) == .use(["a"]))
        #expect(machine.lookUp("a", at: 1000 + 2880) == .useAndFetch(["a"]))
        #expect(machine.lookUp("a", at: 1000 + 2881) == .use(["a"]))
        #expect(machine.lookUp(nil, at: 1000 + 2881) == .use(["a"]))
        #expect(try machine.fetched("b", at: 1000 + 2882) == [])
        #expect(machine.lookUp("b", at: 1000 + 2882) == .use(["b"]))
        #expect(machine.lookUp(nil, at: 1000 + 2882 + 2880) == .useAndFetch(["b"]))
    }

    @Test func `after their expiry the keys are fetched first, so that a withdrawn one is not used`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp("a", at: 1000 + 3600) == .fetch)
        #expect(machine.lookUp("b", at: 1000 + 3600) == .wait)
        #expect(try machine.fetched("b", at: 1000 + 3601) == [2, 3])
        // The fetch was not one for an unknown id: the first of those is still free.
        #expect(machine.lookUp("a", at: 1000 + 3601) == .fetch)
    }

    @Test func `Cache-Control says when`() throws {
        let machine = Machine()
        #expect(machine.lookUp("a", at: 1000) == .fetch)
        #expect(try machine.fetched("a", at: 1000, "no-store") == [1])
        #expect(machine.lookUp("a", at: 1047) == .use(["a"]))
        #expect(machine.lookUp("a", at: 1048) == .useAndFetch(["a"]))
        #expect(try machine.fetched("a", at: 1048, "public, max-age=172800") == [])
        #expect(machine.lookUp("a", at: 1048 + 69_119) == .use(["a"]))
        #expect(machine.lookUp("a", at: 1048 + 69_120) == .useAndFetch(["a"]))
        #expect(machine.lookUp("a", at: 1048 + 86_400) == .wait)
    }

    @Test(.attack(.staleProviderDocuments))
    func `while refreshing fails the keys are used for an hour more, with a pause between the tries`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp("a", at: 5000) == .fetch)
        #expect(machine.failed(at: 5001) == .use(["a"], [2]))
        #expect(machine.lookUp("a", at: 5002) == .use(["a"]))
        #expect(machine.lookUp("a", at: 5003) == .fetch)
        #expect(machine.failed(at: 5003) == .use(["a"], [3]))
        // The pause doubles.
        #expect(machine.lookUp("a", at: 5006) == .use(["a"]))
        #expect(machine.lookUp("a", at: 5007) == .fetch)
        #expect(machine.failed(at: 5007) == .use(["a"], [4]))
        #expect(machine.machine.servesPastExpiry(now: 5007))
        #expect(machine.lookUp("a", at: 1000 + 7199) == .fetch)
        #expect(machine.failed(at: 1000 + 7199) == .use(["a"], [5]))
        #expect(machine.machine.servesPastExpiry(now: 1000 + 7199))
    }

    @Test func `an hour past their expiry the keys are not used any more`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp("a", at: 1000 + 7200) == .fetch)
        #expect(machine.lookUp(nil, at: 1000 + 7200) == .wait)
        #expect(machine.failed(at: 1000 + 7201) == .fail([2, 3]))
        #expect(!machine.machine.servesPastExpiry(now: 1000 + 7201))
        #expect(machine.lookUp("a", at: 1000 + 7202) == .fail(Self.down))
        #expect(machine.lookUp("a", at: 1000 + 7203) == .fetch)
        #expect(try machine.fetched("b", at: 1000 + 7204) == [4])
        #expect(machine.lookUp("b", at: 1000 + 7204) == .use(["b"]))
    }

    @Test(arguments: [("max-age=60", 60), ("max-age=7200", 7200), ("max-age=86400", 86_400)] as [(String, Int64)])
    func `the hour begins where the provider's lifetime ends`(cacheControl: String, lifetime: Int64) throws {
        let machine = Machine()
        _ = machine.lookUp(nil, at: 1000)
        _ = try machine.fetched("a", at: 1000, cacheControl)
        #expect(machine.lookUp("a", at: 1000 + lifetime) == .fetch)
        #expect(machine.failed(at: 1000 + lifetime) == .use(["a"], [2]))
        #expect(machine.lookUp("a", at: 1000 + lifetime + 3599) == .fetch)
        #expect(machine.failed(at: 1000 + lifetime + 3599) == .use(["a"], [3]))
        #expect(machine.lookUp("a", at: 1000 + lifetime + 3601) == .fetch)
        #expect(machine.failed(at: 1000 + lifetime + 3601) == .fail([4]))
    }

    @Test func `keys that are refreshed ahead of their expiry in vain do not count as expired`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp("a", at: 1000 + 2880) == .useAndFetch(["a"]))
        #expect(machine.failed(at: 1000 + 2881) == .use(["a"], []))
        #expect(!machine.machine.servesPastExpiry(now: 1000 + 2881))
    }

    @Test func `a fetch that fails after the hour does not yield the old keys`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp("b", at: 1000 + 7199) == .fetch)
        #expect(machine.lookUp("a", at: 1000 + 7200) == .wait)
        #expect(machine.failed(at: 1000 + 7201) == .fail([2, 3]))
    }

    @Test func `a failure is repeated for two seconds, then the fetch is tried again`() throws {
        let machine = Machine()
        #expect(machine.lookUp("a", at: 1000) == .fetch)
        #expect(machine.lookUp("a", at: 1001) == .wait)
        #expect(machine.failed(at: 1005) == .fail([1, 2]))
        #expect(machine.lookUp("a", at: 1005) == .fail(Self.down))
        #expect(machine.lookUp(nil, at: 1006) == .fail(Self.down))
        #expect(machine.lookUp("a", at: 1007) == .fetch)
        #expect(try machine.fetched("a", at: 1007) == [3])
        #expect(machine.lookUp("a", at: 1007) == .use(["a"]))
    }

    @Test(.attack(.unknownKeyFlood))
    func `the first miss of a key fetches at once, however fresh the keys are`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp("b", at: 1000) == .fetch)
        #expect(try machine.fetched("b", at: 1000) == [2])
        #expect(machine.lookUp("b", at: 1000) == .use(["b"]))
    }

    @Test(.attack(.unknownKeyFlood)) func `misses during that fetch wait for it, and known keys do not`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp("b", at: 1000) == .fetch)
        #expect(machine.lookUp("b", at: 1000) == .wait)
        #expect(machine.lookUp("c", at: 1001) == .wait)
        #expect(machine.lookUp("a", at: 1001) == .use(["a"]))
        #expect(machine.lookUp(nil, at: 1001) == .use(["a"]))
        #expect(try machine.fetched("b", at: 1002) == [2, 3, 4])
    }

    @Test(.attack(.unknownKeyFlood))
    func `until the cooldown has passed no other miss fetches, of whatever key`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp("b", at: 1100) == .fetch)
        #expect(try machine.fetched("a", at: 1101) == [2])
        for (index, keyID) in ["b", "c", "d", "e"].enumerated() {
            #expect(machine.lookUp(keyID, at: 1101 + Int64(index)) == .use(["a"]))
        }
        #expect(machine.lookUp("b", at: 1129) == .use(["a"]))
        #expect(machine.lookUp("b", at: 1130) == .fetch)
        #expect(machine.lookUp("b", at: 1130) == .wait)
        #expect(try machine.fetched("b", at: 1131) == [3, 4])
        #expect(machine.lookUp("c", at: 1159) == .use(["b"]))
        #expect(machine.lookUp("c", at: 1160) == .fetch)
        #expect(machine.waiters == 5)
    }

    @Test(.attack(.unknownKeyFlood)) func `a thousand misses in a second are one fetch`() throws {
        let machine = try filled(at: 1000)
        var seen: [Seen] = []
        for index in 0..<1000 {
            let step = machine.lookUp("unknown-\(index)", at: 2000)
            if step == .fetch { #expect(try machine.fetched("a", at: 2000) == [2]) }
            seen.append(step)
        }
        #expect(seen.filter { $0 == .fetch }.count == 1)
        #expect(seen.filter { $0 == .use(["a"]) }.count == 999)
    }

    @Test(.attack(.unknownKeyFlood))
    func `where the fetch for a missed key fails the keys there are serve on`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp("b", at: 1100) == .fetch)
        #expect(machine.lookUp("c", at: 1100) == .wait)
        #expect(machine.failed(at: 1105) == .use(["a"], [2, 3]))
        #expect(machine.lookUp("a", at: 1105) == .use(["a"]))
        // A fetch that failed does not use the cooldown up: a key that was really rotated in is looked for again soon.
        #expect(machine.lookUp("b", at: 1106) == .use(["a"]))
        #expect(machine.lookUp("b", at: 1107) == .fetch)
    }

    @Test(.attack(.unknownKeyFlood)) func `while the provider is down an unknown key is fetched for, once`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp("a", at: 5000) == .fetch)
        #expect(machine.failed(at: 5000) == .use(["a"], [2]))
        #expect(machine.lookUp("b", at: 5001) == .fetch)
        #expect(machine.failed(at: 5001) == .use(["a"], [3]))
        #expect(machine.lookUp("b", at: 5002) == .use(["a"]))
        #expect(machine.lookUp("a", at: 5002) == .use(["a"]))
    }

    @Test(.attack(.unknownKeyFlood))
    func `an id that was looked for in vain does not use up the fetches for others`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp("bad", at: 2000) == .fetch)
        #expect(try machine.fetched("a", at: 2000) == [2])
        #expect(machine.lookUp("bad", at: 2030) == .fetch)
        #expect(try machine.fetched("a", at: 2030) == [3])
        // It waits 60 s now; another does not.
        #expect(machine.lookUp("bad", at: 2060) == .use(["a"]))
        #expect(machine.lookUp("b", at: 2060) == .fetch)
        #expect(try machine.fetched("b", at: 2060) == [4])
        #expect(machine.lookUp("bad", at: 2089) == .use(["b"]))
        #expect(machine.lookUp("bad", at: 2090) == .fetch)
    }

    @Test(.attack(.unknownKeyFlood)) func `an id that a failed fetch was for is not taken for unknown`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp("b", at: 2000) == .fetch)
        #expect(machine.failed(at: 2001) == .use(["a"], [2]))
        #expect(machine.machine.unknownKeyIDCount == 0)
        #expect(machine.lookUp("b", at: 2030) == .fetch)
        #expect(try machine.fetched("b", at: 2030) == [3])
        #expect(machine.machine.unknownKeyIDCount == 0)
    }

    @Test func `a token without an id that does not verify is fetched for as seldom`() throws {
        let machine = Machine()
        #expect(machine.lookUpAfterMismatch(at: 1000) == .fetch)
        #expect(machine.lookUpAfterMismatch(at: 1000) == .wait)
        #expect(try machine.fetched("a", at: 1000) == [1, 2])
        #expect(machine.lookUpAfterMismatch(at: 1000) == .fetch)
        #expect(machine.lookUp("b", at: 1000) == .wait)
        #expect(try machine.fetched("a", at: 1000) == [3, 4])
        #expect(machine.lookUpAfterMismatch(at: 1029) == .use(["a"]))
        #expect(machine.lookUp("b", at: 1029) == .use(["a"]))
        #expect(machine.lookUpAfterMismatch(at: 1030) == .fetch)
        #expect(machine.failed(at: 1030) == .use(["a"], [5]))
    }

    @Test func `a wrong signature by a key of the set fetches keys older than the cooldown, once a cooldown`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUpAfterMismatch(namesKey: true, at: 1029) == .use(["a"]))
        #expect(machine.lookUpAfterMismatch(namesKey: true, at: 1030) == .fetch)
        #expect(machine.lookUpAfterMismatch(namesKey: true, at: 1030) == .wait)
        #expect(try machine.fetched("a", at: 1031) == [2, 3])
        #expect(machine.lookUpAfterMismatch(namesKey: true, at: 1031) == .use(["a"]))
        // One cooldown for this, for unknown ids, and for tokens without an id.
        #expect(machine.lookUp("b", at: 1059) == .use(["a"]))
        #expect(machine.lookUpAfterMismatch(at: 1059) == .use(["a"]))
        #expect(machine.lookUp("b", at: 1060) == .fetch)
        #expect(try machine.fetched("a", at: 1060) == [4])
        #expect(machine.lookUpAfterMismatch(namesKey: true, at: 1089) == .use(["a"]))
        #expect(machine.lookUpAfterMismatch(namesKey: true, at: 1090) == .fetch)
        // A failed fetch is not repeated by the next wrong signature, nor by the one after its longer pause.
        #expect(machine.failed(at: 1090) == .use(["a"], [5]))
        #expect(machine.lookUpAfterMismatch(namesKey: true, at: 1091) == .use(["a"]))
        #expect(machine.lookUpAfterMismatch(namesKey: true, at: 1092) == .fetch)
        #expect(machine.failed(at: 1092) == .use(["a"], [6]))
        #expect(machine.lookUpAfterMismatch(namesKey: true, at: 1095) == .use(["a"]))
        #expect(machine.lookUpAfterMismatch(namesKey: true, at: 1096) == .fetch)
        #expect(machine.machine.unknownKeyIDCount == 1)
    }

    @Test func `a miss during a background refresh waits for it and keeps its own free fetch`() throws {
        let machine = try filled(at: 1000)
        #expect(machine.lookUp("a", at: 4000) == .useAndFetch(["a"]))
        #expect(machine.lookUp("b", at: 4000) == .wait)
        #expect(try machine.fetched("a", at: 4001) == [2])
        #expect(machine.lookUp("b", at: 4001) == .fetch)
        #expect(try machine.fetched("b", at: 4001) == [3])
    }

    @Test(.attack(.clockThatGoesBack)) func `a clock that goes back holds neither a failure nor the cooldown`() throws {
        let failing = Machine()
        #expect(failing.lookUp("a", at: 1000) == .fetch)
        #expect(failing.failed(at: 1000) == .fail([1]))
        #expect(failing.lookUp("a", at: 400) == .fetch)

        let missing = try filled(at: 1000)
        #expect(missing.lookUp("b", at: 1000) == .fetch)
        #expect(try missing.fetched("a", at: 1000) == [2])
        // Keys of no known age are not trusted.
        #expect(missing.lookUp("a", at: 400) == .fetch)
        #expect(missing.lookUp("b", at: 400) == .wait)
    }
}

// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Testing

@testable import OpenIDRelyingPartyNIO

struct HostLookupsStateMachineTests {
    private typealias Machine = HostLookups.StateMachine<Int>

    /// What an action comes to, to be compared.
    private enum Expected: Equatable {
        case use([SocketAddress]), fail(HostLookupError), wait, queue, start

        init(_ action: Machine.Action) {
            switch action {
            case .use(let addresses): self = .use(addresses)
            case .fail(let error): self = .fail(error)
            case .wait: self = .wait
            case .queue: self = .queue
            case .start: self = .start
            }
        }
    }

    private final class Owner: Sendable {}

    private let owner = Owner()
    private let other = Owner()
    private let addresses: [SocketAddress]
    private var machine = Machine()

    init() throws {
        addresses = [try SocketAddress(ipAddress: "192.0.2.1", port: 0)]
    }

    private func name(_ host: String, _ owner: Owner? = nil) -> Machine.Name {
        Machine.Name(host: host, owner: ObjectIdentifier(owner ?? self.owner))
    }

    private mutating func want(_ host: String, _ waiter: Int = 0, of owner: Owner? = nil, now: Int64) -> Expected {
        Expected(machine.want(name(host, owner), waiter, now: now))
    }

    @discardableResult
    private mutating func found(_ host: String, now: Int64) -> [Int] {
        machine.ended(Array(host.utf8), .success(addresses), now: now).waiters
    }

    @Test
    mutating func `a name is looked up once for all requests, and again when its addresses are no longer fresh`() {
        #expect(want("a", 1, now: 0) == .start)
        #expect(want("a", 2, now: 1) == .wait)
        #expect(found("a", now: 1) == [1, 2])
        #expect(want("a", 3, now: 10) == .use(addresses))
        #expect(want("a", 4, now: 11) == .start)
        #expect(found("a", now: 11) == [4])
    }

    @Test mutating func `a name that is slow is waited for by those who came early only`() {
        #expect(want("a", 1, now: 0) == .start)
        #expect(want("a", 2, now: 1) == .wait)
        #expect(want("a", 3, now: 2) == .fail(.slow))
        #expect(want("a", 4, now: 3000) == .fail(.slow))
        #expect(found("a", now: 3000) == [1, 2])
    }

    @Test
    mutating func `a name that is slow, or cannot be looked up at the moment, keeps its last addresses for an hour`() {
        _ = want("a", now: 0)
        found("a", now: 0)
        #expect(want("a", 1, now: 10) == .start)
        #expect(want("a", now: 12) == .use(addresses))
        #expect(want("a", now: 3599) == .use(addresses))
        #expect(want("a", now: 3600) == .fail(.slow))
        let (waiters, result, _) = machine.ended(Array("a".utf8), .failure(.unavailable), now: 3599)
        #expect(waiters == [1])
        #expect(result == .success(addresses))
        #expect(want("a", now: 3599) == .use(addresses))
    }

    @Test mutating func `a name that does not exist has no addresses, and is not looked up again for a second`() {
        _ = want("a", now: 0)
        found("a", now: 0)
        #expect(want("a", 1, now: 10) == .start)
        let (waiters, result, _) = machine.ended(Array("a".utf8), .failure(.notFound), now: 10)
        #expect(waiters == [1])
        #expect(result == .failure(.notFound))
        #expect(want("a", now: 10) == .fail(.notFound))
        #expect(want("a", now: 11) == .start)
    }

    @Test mutating func `one owner's names delay no other's, and all together have a bound`() {
        for count in 1...Machine.maximumLookupsOfOwner {
            #expect(want("name\(count)", now: 0) == .start)
        }
        #expect(want("another", 1, now: 0) == .queue)
        #expect(want("third", 2, of: other, now: 0) == .start)
        var owners: [Owner] = []
        while machine.lookupCount < Machine.maximumLookups {
            owners.append(Owner())
            #expect(want("of\(owners.count)", of: owners.last, now: 0) == .start)
        }
        let last = Owner()
        #expect(want("last", 3, of: last, now: 0) == .wait, "a check is due already")
        // The first place is of the one who may have it: "another" has an owner with three lookups.
        let (_, _, starts) = machine.ended(Array("of1".utf8), .success(addresses), now: 0)
        #expect(starts == [Array("last".utf8)])
        let (_, _, others) = machine.ended(Array("name1".utf8), .success(addresses), now: 0)
        #expect(others == [Array("another".utf8)])
        #expect(found("another", now: 1) == [1])
    }

    @Test mutating func `one lookup serves all owners, and who shares a name in the queue gives it a place`() {
        #expect(want("a", 1, now: 0) == .start)
        #expect(want("a", 2, of: other, now: 0) == .wait)
        #expect(found("a", now: 0) == [1, 2])
        #expect(want("a", of: other, now: 0) == .use(addresses))
        for count in 1...Machine.maximumLookupsOfOwner { _ = want("name\(count)", now: 0) }
        #expect(want("b", 3, now: 0) == .queue)
        #expect(want("b", 4, of: other, now: 0) == .start)
        #expect(found("b", now: 0) == [3, 4])
    }

    @Test mutating func `100 stuck hosts of 200 delay no healthy one for longer than the checks take`() {
        let owners = (0..<200).map { _ in Owner() }
        var running: [[UInt8]] = []
        for (index, owner) in owners.enumerated() {
            let host = "\(index.isMultiple(of: 2) ? "hangs" : "healthy")\(index)"
            if want(host, index, of: owner, now: 0) == .start { running.append(Array(host.utf8)) }
        }
        var answered: [Int] = []
        var checks = 0
        while answered.count < 100, checks < 20 {
            while let place = running.firstIndex(where: { $0.starts(with: "healthy".utf8) }) {
                let (waiters, _, starts) = machine.ended(running.remove(at: place), .success(addresses), now: 0)
                answered += waiters
                running += starts
            }
            checks += 1
            running += machine.relieve(now: 0).starts
        }
        #expect(answered.count == 100, "after \(checks) checks, twenty a second")
        #expect(machine.lookupCount <= Machine.maximumLookups + Machine.maximumStuckLookups)
    }

    /// Plays a second in milliseconds: what a healthy host answers in 20, and the check in 50.
    @Test mutating func `100 stuck hosts of 200: every healthy one answers within a second`() {
        let owners = (0..<200).map { _ in Owner() }
        var ends: [(at: Int, host: [UInt8])] = []
        func begin(_ hosts: [[UInt8]], at time: Int) {
            for host in hosts where host.starts(with: "healthy".utf8) { ends.append((time + 20, host)) }
        }
        var check: Int?
        for (index, owner) in owners.enumerated() {
            // The hosts that hang come first, which is the worst order.
            let host = "\(index < 100 ? "hangs" : "healthy")\(index)"
            switch want(host, index, of: owner, now: 0) {
            case .start: begin([Array(host.utf8)], at: 0)
            case .queue: check = 50
            default: break
            }
        }
        var answeredAt: [Int: Int] = [:]
        for time in 0..<1000 {
            while let place = ends.firstIndex(where: { $0.at == time }) {
                let (waiters, _, starts) = machine.ended(ends.remove(at: place).host, .success(addresses), now: 0)
                for waiter in waiters { answeredAt[waiter] = time }
                begin(starts, at: time)
            }
            guard time == check else { continue }
            let (starts, isCheckDue) = machine.relieve(now: 0)
            begin(starts, at: time)
            check = isCheckDue ? time + 50 : nil
        }
        #expect(answeredAt.count == 100, "the last one at \(answeredAt.values.max() ?? 0) ms")
        #expect(check == nil, "no request waits any more")
    }

    @Test mutating func `hosts that were slow the last time have few places`() {
        let owners = (0..<20).map { _ in Owner() }
        for (index, owner) in owners.enumerated() {
            guard want("slow\(index)", of: owner, now: 0) != .start else { continue }
            _ = machine.relieve(now: 0)
        }
        for index in owners.indices { _ = machine.ended(Array("slow\(index)".utf8), .failure(.unavailable), now: 5) }
        for (index, owner) in owners.enumerated() { _ = want("slow\(index)", of: owner, now: 10) }
        #expect(machine.lookupCount == Machine.maximumLookupsOfSlowHosts)
        #expect(want("healthy", now: 10) == .start)
    }

    @Test mutating func `a lookup that came after the check was asked for keeps its place`() {
        let owners = (0..<Machine.maximumLookups).map { _ in Owner() }
        for (index, owner) in owners.enumerated() { _ = want("name\(index)", of: owner, now: 0) }
        #expect(want("a", 1, now: 0) == .queue)
        let (_, _, starts) = machine.ended(Array("name0".utf8), .success(addresses), now: 0)
        #expect(starts == [Array("a".utf8)])
        #expect(want("b", 2, now: 0) == .wait)
        let (relieved, isCheckDue) = machine.relieve(now: 0)
        #expect(relieved == [Array("b".utf8)])
        #expect(!isCheckDue)
        // "a" was not there when the check was asked for, so it counts; so does "b".
        for index in 0..<(Machine.maximumLookups - 2) {
            #expect(want("other\(index)", of: owners[index], now: 0) == .start)
        }
        #expect(want("c", 3, of: other, now: 0) == .queue)
    }

    @Test mutating func `one who has too many names waiting is told so, and what waits at the end is given up`() {
        for count in 0..<Machine.maximumNamesOfOwner { _ = want("name\(count)", count, now: 0) }
        #expect(want("one more", now: 0) == .fail(.slow))
        #expect(machine.abandon() == Array(Machine.maximumLookupsOfOwner..<Machine.maximumNamesOfOwner))
    }

    @Test mutating func `of one owner so many names are remembered, and the oldest is forgotten`() {
        _ = want("kept", of: other, now: 0)
        _ = machine.ended(Array("kept".utf8), .success(addresses), now: 0)
        for count in 0...Machine.maximumNamesOfOwner {
            let now = Int64(min(count, 2))
            #expect(want("name\(count)", now: now) == .start)
            found("name\(count)", now: now)
            // The first is needed all the time.
            #expect(want("name0", now: now) == .use(addresses))
        }
        #expect(want("name0", now: 9) == .use(addresses))
        #expect(want("kept", of: other, now: 9) == .use(addresses))
        #expect(want("name1", now: 9) == .start)
    }

    @Test mutating func `a clock that goes back makes nothing fresh`() {
        _ = want("a", now: 100)
        found("a", now: 100)
        #expect(want("a", now: 50) == .start)
        #expect(want("a", now: 20) == .fail(.slow))
    }
}

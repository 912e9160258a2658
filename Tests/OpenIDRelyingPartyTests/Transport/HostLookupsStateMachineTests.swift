// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Testing

@testable import OpenIDRelyingPartyNIO

struct HostLookupsStateMachineTests {
    private typealias Machine = HostLookups.StateMachine<Int>

    /// What an action comes to, to be compared.
    private enum Expected: Equatable {
        case use([SocketAddress]), fail(HostLookupError), wait, start

        init(_ action: Machine.Action) {
            switch action {
            case .use(let addresses): self = .use(addresses)
            case .fail(let error): self = .fail(error)
            case .wait: self = .wait
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
        machine.ended(name(host), .success(addresses), now: now).waiters
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
        let (waiters, result) = machine.ended(name("a"), .failure(.unavailable), now: 3599)
        #expect(waiters == [1])
        #expect(result == .success(addresses))
        #expect(want("a", now: 3599) == .use(addresses))
    }

    @Test mutating func `a name that does not exist has no addresses, and is not looked up again for a second`() {
        _ = want("a", now: 0)
        found("a", now: 0)
        #expect(want("a", 1, now: 10) == .start)
        let (waiters, result) = machine.ended(name("a"), .failure(.notFound), now: 10)
        #expect(waiters == [1])
        #expect(result == .failure(.notFound))
        #expect(want("a", now: 10) == .fail(.notFound))
        #expect(want("a", now: 11) == .start)
    }

    @Test mutating func `one owner's names delay no other's, and all together have a bound`() {
        for count in 1...Machine.maximumLookupsOfOwner {
            #expect(want("name\(count)", now: 0) == .start)
        }
        #expect(want("another", now: 0) == .fail(.slow))
        #expect(want("another", of: other, now: 0) == .start)
        var owners: [Owner] = []
        while machine.lookupCount < Machine.maximumLookups {
            owners.append(Owner())
            #expect(want("name", of: owners.last, now: 0) == .start)
        }
        let last = Owner()
        #expect(want("name", of: last, now: 0) == .fail(.slow))
        found("name1", now: 0)
        #expect(want("name", of: last, now: 0) == .start)
    }

    @Test mutating func `the same name of two owners is two names`() {
        #expect(want("a", now: 0) == .start)
        #expect(want("a", of: other, now: 0) == .start)
    }

    @Test mutating func `of one owner so many names are remembered, and the oldest is forgotten`() {
        _ = want("kept", of: other, now: 0)
        _ = machine.ended(name("kept", other), .success(addresses), now: 0)
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

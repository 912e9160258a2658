// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerState

/// The names that wait for their app, in a store that replicas share.
@Suite struct UnverifiedNamesTests {
    private let clock = TestClock()
    private let eventLoop = EmbeddedEventLoop()
    private let ada = UnverifiedName(["name": "Ada", "given_name": "Ada"])
    private let augusta = UnverifiedName(["name": "Augusta"])
    private let old = LoginKeys(sealingKey: Array(repeating: 1, count: 32))
    private let new = LoginKeys(sealingKey: Array(repeating: 2, count: 32))

    private func names(_ store: any SingleUseStore, _ keys: [LoginKeys]? = nil) -> UnverifiedNames {
        UnverifiedNames(store: .of(store), keys: keys ?? [old])
    }

    private func keep(
        _ name: UnverifiedName, in names: UnverifiedNames, _ issuer: String = "i", _ subject: String = "s"
    ) throws -> Bool {
        try result(
            names.keep(
                name, issuer: issuer, subject: subject, owner: .owner(issuer: issuer, subject: subject), on: eventLoop))
    }

    private func name(
        in names: UnverifiedNames, _ issuer: String = "i", _ subject: String = "s"
    ) throws -> UnverifiedName? {
        try result(names.name(issuer: issuer, subject: subject, on: eventLoop))
    }

    private func acknowledge(_ name: UnverifiedName, in names: UnverifiedNames) throws {
        try result(names.acknowledge(name, issuer: "i", subject: "s", on: eventLoop))
    }

    /// What there is after the time that a store has.
    private func result<Value: Sendable>(_ eventual: Eventual<Value>) throws -> Value {
        let future = eventual.future(on: eventLoop)
        eventLoop.advanceTime(by: .seconds(6))
        return try future.wait()
    }

    /// A store in memory, which decides at once, and one that gives futures.
    private var stores: [any SingleUseStore] {
        [InMemorySingleUseStore(clock: clock.elapsed, wallClock: clock), ReferenceStore(clock: clock)]
    }

    @Test func `a name is found by issuer and subject, and by nothing else`() throws {
        for store in stores {
            let names = names(store)
            #expect(try keep(ada, in: names, "https://a.example", "x"))
            #expect(try name(in: names, "https://a.example", "x") == ada)
            for (issuer, subject) in [
                ("https://b.example", "x"), ("https://a.example", "y"), ("https://a.examplex", ""), ("", ""),
            ] {
                #expect(try name(in: names, issuer, subject) == nil)
            }
        }
    }

    @Test func `a later name takes the place of an earlier one`() throws {
        for store in stores {
            let names = names(store)
            #expect(try keep(ada, in: names))
            #expect(try keep(augusta, in: names))
            #expect(try name(in: names) == augusta)
        }
    }

    @Test func `an acknowledgement of another name changes nothing`() throws {
        for store in stores {
            let names = names(store)
            #expect(try keep(augusta, in: names))
            try acknowledge(ada, in: names)
            #expect(try name(in: names) == augusta)
            try acknowledge(augusta, in: names)
            #expect(try name(in: names) == nil)
            // For an unknown user there is nothing to acknowledge.
            try acknowledge(augusta, in: names)
        }
    }

    @Test func `it is there for a day`() throws {
        for store in stores {
            let names = names(store)
            #expect(try keep(ada, in: names))
            clock.advance(by: 86_399)
            #expect(try name(in: names) == ada)
            clock.advance(by: 1)
            #expect(try name(in: names) == nil)
        }
    }

    @Test
    func `every replica finds it, before, while and after a sealing key is added, moved to the front and dropped`()
        throws
    {
        for store in stores {
            #expect(try keep(ada, in: names(store, [old])))
            for keys in [[old], [old, new], [new, old]] { #expect(try name(in: names(store, keys)) == ada) }
            // A day after the next key took over, no name of the old one is left.
            #expect(try name(in: names(store, [new])) == nil)
            #expect(try keep(augusta, in: names(store, [new, old])))
            #expect(try name(in: names(store, [new])) == augusta)
            try acknowledge(augusta, in: names(store, [new, old]))
            #expect(try name(in: names(store, [new])) == nil)
        }
    }

    @Test func `a store that is out of reach loses no sign-in`() throws {
        let store = FaultyStore()
        let names = names(store)
        store.fail(after: 0)
        #expect(try !keep(ada, in: names))
        #expect(try name(in: names) == nil)
        try acknowledge(ada, in: names)
        store.fail(after: nil)
        // Until a request has shown whether it is back.
        eventLoop.advanceTime(by: .seconds(1))
        #expect(try keep(ada, in: names))
        // Found, but not removed: the next app gets it once more.
        store.fail(after: 1)
        try acknowledge(ada, in: names)
        store.fail(after: nil)
        #expect(try name(in: names) == ada)
    }

    @Test func `the longest name comes back as it was`() throws {
        let long = String(repeating: "\u{1F600}", count: 255)
        let text = #"{"name":{"firstName":"\#(long)","lastName":"\#(long)"}}"#
        let name = try #require(UnverifiedName(appleUser: text))
        #expect(UnverifiedName(encoded: name.encoded) == name)
        let names = names(ReferenceStore(clock: clock))
        #expect(try keep(name, in: names))
        #expect(try self.name(in: names) == name)
    }

    @Test func `the place of a name is the same in every version`() {
        let place = old.placeOfName(issuer: "https://a.example", subject: "x")
        #expect(hex(place.key.bytes) == "1cd17e64acd5b7a58b410aab1acdff15da06c53b25e6d96c10157f8b32b809cd")
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func `a record carries it beside upstream or alone`() {
        var record = HandOffRecord(
            clientID: "shop", redirectURI: "https://shop.example/callback", codeChallenge: [4], issuer: "i",
            claims: ["sub": "x"], upstream: ["id_token": "y"], user: ["name": "Ada"])
        #expect(HandOffRecord(record.encoded) == record)
        record.upstream = nil
        #expect(HandOffRecord(record.encoded) == record)
        for count in 0..<record.encoded.count { #expect(HandOffRecord(Array(record.encoded[..<count])) == nil) }
        #expect(HandOffRecord(record.encoded + [0]) == nil)
    }
}

// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@testable import OIDCBroker

/// The names that wait for their app, without threads: every time is a number.
@Suite struct UnverifiedNamesTests {
    private static let start: Int64 = 1_800_000_000

    private func machine(lifetime: Int64 = 100, maximumCount: Int = 3) -> UnverifiedNames.StateMachine {
        UnverifiedNames.StateMachine(lifetime: lifetime, maximumCount: maximumCount)
    }

    private func place(_ number: Int) -> [UInt8] { Hash.sha256("\(number)".utf8) }

    @Test func `an entry is there until it expires`() {
        var machine = machine()
        machine.insert([1], at: place(1), now: Self.start)
        #expect(machine.entry(at: place(1), now: Self.start)?.sealed == [1])
        #expect(machine.entry(at: place(1), now: Self.start + 99)?.sealed == [1])
        #expect(machine.entry(at: place(1), now: Self.start + 100) == nil)
        #expect(machine.entry(at: place(2), now: Self.start) == nil)
    }

    @Test func `the oldest goes for one too many`() {
        var machine = machine()
        for number in 0..<4 { machine.insert([1], at: place(number), now: Self.start + Int64(number)) }
        #expect(machine.count == 3)
        #expect(machine.entry(at: place(0), now: Self.start + 4) == nil)
        for number in 1..<4 { #expect(machine.entry(at: place(number), now: Self.start + 4) != nil) }
    }

    @Test func `what is put in the same place again is young again`() {
        var machine = machine()
        for number in 0..<3 { machine.insert([1], at: place(number), now: Self.start) }
        machine.insert([2], at: place(0), now: Self.start + 50)
        machine.insert([1], at: place(3), now: Self.start + 51)
        #expect(machine.entry(at: place(0), now: Self.start + 51)?.sealed == [2])
        #expect(machine.entry(at: place(1), now: Self.start + 51) == nil)
        #expect(machine.entry(at: place(0), now: Self.start + 149) != nil)
        #expect(machine.entry(at: place(0), now: Self.start + 150) == nil)
    }

    @Test func `only the entry that was seen is taken away`() throws {
        var machine = machine()
        machine.insert([1], at: place(1), now: Self.start)
        let seen = try #require(machine.entry(at: place(1), now: Self.start))
        machine.insert([2], at: place(1), now: Self.start)
        machine.remove(at: place(1), number: seen.number)
        let next = try #require(machine.entry(at: place(1), now: Self.start))
        #expect(next.sealed == [2])
        machine.remove(at: place(1), number: next.number)
        #expect(machine.entry(at: place(1), now: Self.start) == nil)
        #expect(machine.count == 0)
    }

    @Test func `an expired name uses no capacity`() {
        var machine = machine()
        for number in 0..<3 { machine.insert([1], at: place(number), now: Self.start) }
        machine.insert([1], at: place(3), now: Self.start + 100)
        #expect(machine.count == 1)
    }

    @Test func `a clock that goes back hands out nothing that is expired, and loses nothing`() {
        var machine = machine()
        machine.insert([1], at: place(1), now: Self.start + 500)
        machine.insert([2], at: place(2), now: Self.start)
        #expect(machine.entry(at: place(2), now: Self.start + 99) != nil)
        #expect(machine.entry(at: place(2), now: Self.start + 100) == nil)
        #expect(machine.entry(at: place(1), now: Self.start + 599) != nil)
    }

    @Test func `one person's ten thousand sign-ins take one place, and ten thousand people each theirs`() {
        var machine = machine(maximumCount: UnverifiedNames.maximumCount)
        for number in 0..<50_000 { machine.insert([1], at: place(0), now: Self.start + Int64(number % 2)) }
        #expect(machine.count == 1)
        for number in 1...UnverifiedNames.maximumCount { machine.insert([1], at: place(number), now: Self.start) }
        #expect(machine.count == UnverifiedNames.maximumCount)
        #expect(machine.entry(at: place(0), now: Self.start) == nil)
        #expect(machine.entry(at: place(1), now: Self.start) != nil)
    }

    @Test func `a name is found by issuer and subject, and by nothing else`() throws {
        let names = UnverifiedNames()
        let name = try #require(UnverifiedName(appleUser: #"{"name":{"firstName":"Ada"}}"#))
        names.keep(name, issuer: "https://a.example", subject: "x", now: Self.start)
        #expect(names.name(issuer: "https://a.example", subject: "x", now: Self.start) == name)
        for (issuer, subject) in [
            ("https://b.example", "x"), ("https://a.example", "y"), ("https://a.examplex", ""), ("", ""),
        ] {
            #expect(names.name(issuer: issuer, subject: subject, now: Self.start) == nil)
        }
    }

    @Test func `an acknowledgement of another name changes nothing`() throws {
        let names = UnverifiedNames()
        let old = try #require(UnverifiedName(appleUser: #"{"name":{"firstName":"Ada"}}"#))
        let new = try #require(UnverifiedName(appleUser: #"{"name":{"firstName":"Augusta"}}"#))
        names.keep(new, issuer: "i", subject: "s", now: Self.start)
        names.acknowledge(old, issuer: "i", subject: "s", now: Self.start)
        #expect(names.name(issuer: "i", subject: "s", now: Self.start) == new)
        names.acknowledge(new, issuer: "i", subject: "s", now: Self.start)
        #expect(names.name(issuer: "i", subject: "s", now: Self.start) == nil)
        // For an unknown user there is nothing to acknowledge.
        names.acknowledge(new, issuer: "i", subject: "s", now: Self.start)
    }

    @Test func `the longest name comes back as it was`() throws {
        let long = String(repeating: "\u{1F600}", count: 255)
        let text = #"{"name":{"firstName":"\#(long)","lastName":"\#(long)"}}"#
        let name = try #require(UnverifiedName(appleUser: text))
        #expect(UnverifiedName(encoded: name.encoded) == name)
        let names = UnverifiedNames()
        names.keep(name, issuer: "i", subject: "s", now: Self.start)
        #expect(names.name(issuer: "i", subject: "s", now: Self.start) == name)
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

// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerOperations

@Suite struct ReadinessStateTests {
    @Test func `one way only`() {
        let state = ReadinessState()
        #expect(state.phase == .starting)
        state.becomeReady()
        #expect(state.phase == .ready)
        state.beginDraining()
        state.becomeReady()
        #expect(state.phase == .draining)
    }

    @Test func `a server that is told to end before it listens is never ready`() {
        let state = ReadinessState()
        state.beginDraining()
        state.becomeReady()
        #expect(state.phase == .draining)
    }
}

@Suite struct ConfigurationFingerprintTests {
    private static let key = [UInt8](repeating: 7, count: 32)

    private static func fingerprint(_ parts: [String: String], key: [UInt8] = ConfigurationFingerprintTests.key)
        -> String
    {
        ConfigurationFingerprint(parts: parts.mapValues { Array($0.utf8) }, sealingKey: key).description
    }

    @Test func `twelve hexadecimal digits, the same for the same parts`() {
        let text = Self.fingerprint(["a": "1", "b": "2"])
        #expect(text.utf8.count == 12)
        #expect(text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        #expect(text == Self.fingerprint(["b": "2", "a": "1"]))
    }

    @Test(
        arguments: [
            [:], ["a": "1"], ["a": "1", "b": "3"], ["a": "2", "b": "1"], ["a": "1", "b2": ""], ["a1b": "2"],
            ["a": "1", "b": "2", "c": ""],
        ] as [[String: String]])
    func `any change is another one`(parts: [String: String]) {
        #expect(Self.fingerprint(parts) != Self.fingerprint(["a": "1", "b": "2"]))
    }

    @Test func `another sealing key is another one, so that secrets cannot be tried out without it`() {
        let other = [UInt8](repeating: 8, count: 32)
        #expect(Self.fingerprint(["a": "1"]) != Self.fingerprint(["a": "1"], key: other))
    }

    @Test func `the one in use is replaced`() {
        let current = CurrentFingerprint()
        #expect(current.current == nil)
        let new = ConfigurationFingerprint(parts: [:], sealingKey: Self.key)
        current.update(new)
        #expect(current.current == new)
    }
}

@Suite struct ExpiryDatesTests {
    @Test func `sorted within each kind, replaced and taken away by name`() {
        let dates = ExpiryDates()
        dates.set(.clientSecret, "acme", end: 1)
        dates.set(.certificate, "server", end: 2)
        dates.set(.certificate, "acme", end: 3)
        dates.set(.certificate, "server", end: 4)
        dates.set(.certificate, "other", end: nil)
        #expect(
            dates.all == [
                .init(kind: .certificate, name: "acme", end: 3), .init(kind: .certificate, name: "server", end: 4),
                .init(kind: .clientSecret, name: "acme", end: 1),
            ])
        dates.set(.certificate, "acme", end: nil)
        #expect(dates.all.map(\.name) == ["server", "acme"])
    }

    @Test func `the time that is left, as metrics`() {
        let dates = ExpiryDates()
        dates.set(.certificate, "server", end: 1_100)
        dates.set(.clientSecret, "acme", end: 900)
        let samples = OperationsSource.expiries(dates, now: { 1_000 }).samples()
        #expect(
            samples.map(\.name) == ["auth_certificate_remaining_seconds", "auth_client_secret_remaining_seconds"])
        #expect(samples.map(\.value) == [100, -100])
        #expect(samples.map { $0.labels.map(\.value) } == [["server"], ["acme"]])
    }
}

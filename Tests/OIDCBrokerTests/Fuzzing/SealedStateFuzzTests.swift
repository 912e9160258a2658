// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerPages
@testable import OIDCBrokerState

/// Sealed state of any kind.
@Suite(.onSockets)
struct SealedStateFuzzTests {
    private static let issuer = "https://auth.example.com/__/auth"
    private static let nonce = [UInt8](repeating: 3, count: 12)

    private func rounds(
        _ driver: String, _ corpus: [[UInt8]], separators: String = "", seed: UInt64, _ validate: ([UInt8]) -> String?
    ) throws {
        let known = corpus + (try FoundInputs.bytes(for: driver))
        var mutator = Mutator(
            corpus: known, dictionary: ["AQ", "=", "-", "_", "\0", "\u{7f}"].map { Array($0.utf8) },
            separators: Array(separators.utf8), longest: 20_000, seed: seed)
        for round in 0..<8000 {
            let input = round < known.count ? known[round] : mutator.next()
            if let violation = validate(input) {
                Issue.record("\(driver), round \(round), \(violation): \(Base64.encode(input))")
            }
        }
    }

    @Test func `opens where it is, byte for byte, what was sealed for this purpose, and nowhere else`() throws {
        let keys = [UInt8(1), 2].map { LoginKeys(sealingKey: [UInt8](repeating: $0, count: 32)) }
        let sealer = StateSealer(keys: keys, issuer: Self.issuer)
        let old = StateSealer(keys: [keys[1]], issuer: Self.issuer)
        let foreign = StateSealer(keys: keys, issuer: Self.issuer + "/")
        let login = LoginStateTests.make().encoded
        let sealed = [
            try #require(sealer.seal(login, for: .login, nonce: Self.nonce)),
            try #require(old.seal(login, for: .login, nonce: Self.nonce)),
        ]
        let others = [
            try #require(sealer.seal(login, for: .choice, nonce: Self.nonce)),
            try #require(foreign.seal(login, for: .login, nonce: Self.nonce)),
        ]
        var opened = 0
        try rounds("state", (sealed + others).map { Array($0.utf8) }, seed: 0x7374_6174) { input in
            let text = String(decoding: input, as: UTF8.self)
            guard let plaintext = sealer.open(text, for: .login)?.plaintext else { return nil }
            opened += 1
            guard sealed.contains(where: { $0.hasSameBytes(as: text) }), plaintext == login else {
                return "opened what was not sealed"
            }
            return nil
        }
        #expect(opened > 0)
    }

    @Test func `what was sealed has one spelling: whatever is read writes itself again`() throws {
        let states = [
            LoginStateTests.make(), LoginStateTests.make(appState: nil, appNonce: nil, maximumAge: nil),
            LoginStateTests.make(appState: "", appNonce: "\u{e4}", maximumAge: -1),
        ].map(\.encoded)
        var logins = 0
        try rounds("login", states, seed: 0x6C6F_6769) { input in
            guard let state = LoginState(encoded: input) else { return nil }
            logins += 1
            _ = state.isStale(at: 1_800_000_000)
            return state.encoded == input ? nil : "two spellings of one login"
        }
        #expect(logins > 100)
        let choice = PendingChoice(
            loginID: [UInt8](0..<16), issuedAt: 1_800_000_000, bindingHash: [UInt8](repeating: 3, count: 32),
            start: .request("client_id=shop&state=%20"))
        let inProcess = PendingChoice(
            loginID: [UInt8](0..<16), issuedAt: 1_800_000_000, bindingHash: [UInt8](repeating: 3, count: 32),
            start: .inProcess(InProcessLogin(destination: "/a", state: nil, loginHint: "ada"), app: "site"))
        var choices = 0
        try rounds("choice", [choice.encoded, inProcess.encoded], seed: 0x6368_6F69) { input in
            guard let choice = PendingChoice(encoded: input) else { return nil }
            choices += 1
            _ = choice.isStale(at: 1_800_000_000)
            return choice.encoded == input ? nil : "two spellings of one choice"
        }
        #expect(choices > 100)
    }

    @Test func `hand-offs that were spoiled in the store are refused, and nothing traps`() throws {
        let record = HandOffRecord(
            clientID: "shop", redirectURI: "https://shop.example/callback",
            codeChallenge: [UInt8](repeating: 4, count: 32),
            issuer: Self.issuer, claims: ["sub": "x", "nested": ["a": [1, true, .null]]], upstream: ["claims": [:]])
        let uri = try #require(RedirectURI("https://shop.example/callback"))
        let delivery = HandOffDelivery(
            record: record,
            destination: AppDestination(
                redirectURI: uri, state: "s", responseMode: .formPost, issuer: Self.issuer, language: .german),
            owner: .owner(issuer: "i", subject: "s"))
        var read = 0
        try rounds("hand-off", [record.encoded, delivery.encoded], seed: 0x6861_6E64) { input in
            if HandOffRecord(input) != nil || HandOffDelivery(encoded: input) != nil { read += 1 }
            return nil
        }
        #expect(read > 10)
        let handOff = HandOff()
        let sealed = try #require(handOff.seal(record))
        try rounds("sealed-hand-off", [sealed], seed: 0x7365_616C) { input in
            handOff.open(input) == nil || input == sealed ? nil : "opened what was not sealed"
        }
    }
}

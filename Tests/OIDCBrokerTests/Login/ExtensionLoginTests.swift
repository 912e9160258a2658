// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerPages
@testable import OIDCBrokerState

/// The state of a login that belongs to an extension, and that of an app's login, which stays what it was.
struct ExtensionLoginTests {
    private static func state(content: [UInt8] = [1, 2, 3], provider: String = "acme") -> LoginState {
        LoginState(
            loginID: Array(0..<16), issuedAt: 1_800_000_000, provider: provider, fingerprint: Array(1...8),
            maximumAge: nil, ofExtension: ExtensionLogin(purpose: "stub", client: "web", content: content))
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func repeated(_ digits: String, _ count: Int) -> String { String(repeating: digits, count: count) }

    /// What a version without extensions wrote and reads.
    private static let ofApp = [
        "000102030405060708090a0b0c0d0e0f", "000000006b49d200", "0004", "61636d65", "0102030405060708", "0004",
        "73686f70", repeated("09", 32), "c73c", repeated("05", 32), "2f", "000173", "00016e", "0000000000000e10", "02",
    ].joined()

    /// The login of an extension: no app, no redirect URI, no challenge, and the extension's part at the end.
    private static let ofExtension = [
        "000102030405060708090a0b0c0d0e0f", "000000006b49d200", "0004", "61636d65", "0102030405060708", "0000",
        repeated("00", 32), "0000", repeated("00", 32), "10", "0004", "73747562", "0003", "776562", "0003", "010203",
    ].joined()

    @Test func `the bytes of a state are those of the version before, and an extension's are known too`() throws {
        let app = LoginStateTests.make()
        #expect(Self.hexadecimal(app.encoded) == Self.ofApp)
        #expect(try #require(LoginState(encoded: app.encoded)).ofExtension == nil)
        #expect(Self.hexadecimal(Self.state().encoded) == Self.ofExtension)
    }

    @Test func `comes back as it was, with a language, an age and a span too`() throws {
        var state = Self.state()
        #expect(LoginState(encoded: state.encoded) == state)
        state.requirements.language = .german
        state.maximumAge = 60
        state.start = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        let read = try #require(LoginState(encoded: state.encoded))
        #expect(read == state)
        #expect(read.ofExtension?.purpose == "stub" && read.ofExtension?.client == "web")
        #expect(read.ofExtension?.content == [1, 2, 3] && read.app.isEmpty)
    }

    @Test func `is refused where a byte is missing or too many, and where it belongs to no extension or to two`() {
        let encoded = Self.state().encoded
        for count in 0..<encoded.count { #expect(LoginState(encoded: Array(encoded[..<count])) == nil) }
        #expect(LoginState(encoded: encoded + [0]) == nil)
        // An app, and an extension's part behind it.
        let part = Array(encoded.suffix(16))
        #expect(LoginState(encoded: LoginStateTests.make().encoded + part) == nil)
    }

    @Test func `a sealed state of an extension has at most 2,048 characters, an app's no more than before`() throws {
        let sealer = StateSealer(
            keys: [LoginKeys(sealingKey: Array(repeating: 1, count: 32))], issuer: "https://auth.example.com/__/auth")
        // 2,048 characters are 1,536 bytes: 33 of them are version, key ID, nonce and tag.
        let longest = try #require(sealer.seal(Array(repeating: 0, count: 1503), for: .extensionLogin))
        #expect(longest.utf8.count == 2048)
        #expect(sealer.open(WireText(longest), for: .login)?.plaintext.count == 1503)
        #expect(sealer.seal(Array(repeating: 0, count: 1504), for: .extensionLogin) == nil)
        #expect(sealer.seal(Array(repeating: 0, count: 793), for: .login) == nil)
        #expect(sealer.open(WireText(longest + "AAAA"), for: .login) == nil)
        #expect(StateSealer.fits(1503, for: .extensionLogin) && !StateSealer.fits(1504, for: .extensionLogin))
        // It is no choice, and no access token.
        #expect(sealer.open(WireText(longest), for: .choice) == nil)
    }

    @Test func `what waits comes back as it was, and is told from a hand-off`() throws {
        let login = ExtensionLogin(purpose: "stub", client: "web", content: [9])
        for (account, language) in [("ada@people.example", Language.japanese), (nil, nil)] as [(String?, Language?)] {
            let signIn = PendingExtensionSignIn(
                login: login, provider: "acme", language: language, subject: "sub",
                waiting: WaitingSignIn(content: Array(repeating: 7, count: 70_000), account: account, destination: "d"))
            guard case .ofExtension(let read)? = PendingDelivery(encoded: signIn.encoded) else {
                Issue.record("it is not read")
                continue
            }
            #expect(read.login == login && read.provider == "acme" && read.language == language)
            #expect(read.subject == "sub" && read.waiting.account == account && read.waiting.destination == "d")
            #expect(read.waiting.content.count == 70_000)
            #expect(PendingDelivery(encoded: signIn.encoded + [0]) == nil)
            #expect(PendingDelivery(encoded: Array(signIn.encoded.dropLast())) == nil)
            // A version without extensions takes it for nothing of its own.
            #expect(HandOffDelivery(encoded: signIn.encoded) == nil)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// The raw nonce that the app kept, and its hash in the token.
@Suite struct CredentialNonceTests {
    struct Case: Sendable, CustomStringConvertible {
        /// What the app kept when it asked Apple; `nil` if it asked without.
        var kept: String?
        /// What it brings.
        var brought: String?
        var isOptional = false
        var misbehavior = MockApple.Misbehavior.none
        var isTaken: Bool

        var description: String {
            "kept \(kept ?? "none"), brought \(brought ?? "none"), \(isOptional ? "optional" : "required"), "
                + "\(misbehavior)"
        }
    }

    static let cases = [
        Case(kept: "raw", brought: "raw", isTaken: true),
        Case(kept: "raw", brought: "other", isTaken: false),
        Case(kept: "raw", brought: nil, isTaken: false),
        Case(kept: nil, brought: "raw", isTaken: false),
        Case(kept: nil, brought: nil, isTaken: false),
        // The hash is not the raw nonce, which cannot be derived from the token.
        Case(kept: "raw", brought: NoncePair(raw: "raw").hashed, isTaken: false),
        Case(kept: "raw", brought: "raw", isOptional: true, isTaken: true),
        Case(kept: nil, brought: nil, isOptional: true, isTaken: true),
        // Some SDKs send a nonce that the app does not know.
        Case(kept: "raw", brought: nil, isOptional: true, isTaken: true),
        Case(kept: "raw", brought: "other", isOptional: true, isTaken: false),
        Case(kept: nil, brought: "raw", isOptional: true, isTaken: false),
        // A platform that carries none, which is an excuse only where the app may do without.
        Case(kept: "raw", brought: "raw", misbehavior: .nonceUnsupported, isTaken: false),
        Case(kept: nil, brought: nil, misbehavior: .nonceUnsupported, isTaken: false),
        Case(kept: "raw", brought: "raw", isOptional: true, misbehavior: .nonceUnsupported, isTaken: true),
        Case(kept: "raw", brought: "raw", isOptional: true, misbehavior: .missingNonce, isTaken: false),
        Case(kept: "raw", brought: "raw", isOptional: true, misbehavior: .wrongNonce, isTaken: false),
        Case(kept: "raw", brought: "raw", misbehavior: .missingNonce, isTaken: false),
        Case(kept: "raw", brought: "raw", misbehavior: .wrongNonce, isTaken: false),
    ]

    @Test(.attack(.missingAppleNonce, .replayedNonce), arguments: cases)
    func `the nonce`(one: Case) throws {
        let setup = try AppleSetup { $0.apps[0].nativeNonce = one.isOptional ? .optional : .required }
        setup.apple.behave(one.misbehavior)
        let credential = try setup.apple.credential(rawNonce: one.kept)
        let form = setup.credentialForm(credential, rawNonce: one.brought, hasCode: false)
        let response = try setup.post("credential", form)
        guard !one.isTaken else {
            #expect(response.status == 200, "\(response.text)")
            return
        }
        #expect(response.status == 400)
        #expect(try response.json()["error"]?.text?.makeString() == "missing_or_invalid_nonce")
        #expect(setup.installation.log.outcomes == ["missing_or_invalid_nonce"])
    }

    @Test func `a refusal for the nonce uses nothing up`() throws {
        let setup = try AppleSetup()
        let credential = try setup.apple.credential()
        let wrong = setup.credentialForm(credential, rawNonce: "wrong", hasCode: false)
        #expect(try setup.post("credential", wrong).status == 400)
        #expect(try setup.post("credential", setup.credentialForm(credential)).status == 200)
    }

    @Test func `a nonce that is not a string, or in upper-case hexadecimal, is another`() throws {
        let setup = try AppleSetup()
        let hash = NoncePair(raw: "raw-nonce-of-the-app").hashed
        for nonce: JSONValue in [7, [.string(hash)], .string(hash.uppercased()), .string(hash + " "), ""] {
            let credential = try setup.apple.credential(changes: ["nonce": nonce])
            let response = try setup.post("credential", setup.credentialForm(credential, hasCode: false))
            #expect(try response.json()["error"]?.text?.makeString() == "missing_or_invalid_nonce")
        }
    }

    @Test func `a nonce pair is made for an app, and another one each time`() throws {
        let pairs = (0..<20).map { _ in NoncePair.make() }
        #expect(Set(pairs.map(\.raw)).count == 20)
        let setup = try AppleSetup()
        let credential = try setup.apple.credential(rawNonce: pairs[0].raw)
        let form = setup.credentialForm(credential, rawNonce: pairs[0].raw)
        #expect(try setup.post("credential", form).status == 200)
    }
}

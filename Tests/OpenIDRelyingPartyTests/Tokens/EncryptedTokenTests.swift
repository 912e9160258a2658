// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// ID tokens that are encrypted to the client: opened, and then validated like any other.
@Suite struct EncryptedTokenTests {
    private static func session(_ provider: TestProvider, _ keys: [String]) -> UnpluggedSession {
        UnpluggedSession(provider) { configuration in
            configuration.responseType = .codeIDToken
            configuration.responseMode = .formPost
            configuration.decryptionKeys = keys.map(Secret.init)
        }
    }

    /// Encrypts what the provider hands out.
    private static func encrypt(
        _ provider: TestProvider,
        to key: DecryptionKey,
        _ contentEncryption: String = "A256GCM",
        header: JSONObject = [:],
        front: Bool = true,
        _ change: @escaping @Sendable (String) -> String = { $0 }
    ) {
        let management = key.publicJWK["alg"]?.text?.makeString() ?? ""
        let recipient = key.publicJWK
        provider.behave { behavior in
            behavior.changeToken = { token, isFront in
                guard isFront == front else { return token }
                return try JSONWebEncryption.encrypt(
                    Array(change(token).utf8), to: recipient, keyManagement: management,
                    contentEncryption: contentEncryption, header: header)
            }
        }
    }

    @Test(arguments: [KeyTexts.rsa, KeyTexts.p256], ["A128GCM", "A256GCM"])
    func `an encrypted token is opened and validated`(pem: String, contentEncryption: String) throws {
        for isFront in [true, false] {
            let provider = try TestProvider()
            Self.encrypt(provider, to: try DecryptionKey(pem: pem), contentEncryption, front: isFront)
            let session = Self.session(provider, [pem])
            #expect(session.party.configuration.validate().isEmpty)
            let signIn = try session.signIn()
            #expect(signIn.subject == "person-ada")
            // The signed token is passed on, which other code can verify.
            #expect(try JSONWebSignature(compact: signIn.idToken.exposed).algorithm == .es256)
        }
    }

    @Test func `the claims of an encrypted token are held to every check`() throws {
        let provider = try TestProvider()
        Self.encrypt(provider, to: try DecryptionKey(pem: KeyTexts.p256))
        provider.behave { behavior in behavior.changeClaims = { if $1 { $0["nonce"] = "another" } } }
        #expect(try Self.session(provider, [KeyTexts.p256]).refusal()?.finding?.check == IDTokenCheck.nonce.name)
    }

    @Test func `the right one of several keys opens it, and a signed token needs none`() throws {
        let provider = try TestProvider()
        let session = Self.session(provider, [KeyTexts.rsa, KeyTexts.p256])
        #expect(try session.refusal() == nil)
        Self.encrypt(provider, to: try DecryptionKey(pem: KeyTexts.p256))
        #expect(try session.refusal() == nil)
        Self.encrypt(provider, to: try DecryptionKey(pem: KeyTexts.rsa))
        #expect(try session.refusal() == nil)
    }

    @Test(.attack(.unsignedTokenInsideEncrypted)) func `an unsigned token inside is refused`() throws {
        let provider = try TestProvider()
        Self.encrypt(provider, to: try DecryptionKey(pem: KeyTexts.p256)) { token in
            let payload = token.split(separator: ".")[1]
            return Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + payload + "."
        }
        #expect(try Self.session(provider, [KeyTexts.p256]).refusal()?.step == .idToken)
        #expect(!provider.paths.contains("/token"))
    }

    @Test(
        .attack(.compressedToken, .expensiveKeyDerivation, .paddingOracle),
        arguments: [
            ["zip": "DEF"], ["alg": "RSA1_5"], ["alg": "PBES2-HS256+A128KW", "p2c": 2_147_483_647],
            ["alg": "dir"], ["enc": "A128CBC"], ["crit": ["x"], "x": 1],
        ] as [JSONObject])
    func `what is not allowed is refused before anything is sent`(header: JSONObject) throws {
        let provider = try TestProvider()
        Self.encrypt(provider, to: try DecryptionKey(pem: KeyTexts.p256), header: header)
        #expect(try Self.session(provider, [KeyTexts.p256]).refusal()?.step == .idToken)
        #expect(provider.paths == ["/.well-known/openid-configuration"])
    }

    @Test func `a token that is encrypted to another key, or to a client without one, is refused`() throws {
        let provider = try TestProvider()
        Self.encrypt(provider, to: try DecryptionKey.generateP256())
        for keys in [[], [KeyTexts.p256], [KeyTexts.rsa]] {
            #expect(try Self.session(provider, keys).refusal()?.step == .idToken)
        }
        #expect(!provider.paths.contains("/token"))
    }

    @Test func `a native credential is never encrypted to this client, and so not decrypted`() throws {
        let provider = try TestProvider()
        let session = Self.session(provider, [KeyTexts.rsa])
        let error = #expect(throws: RelyingPartyError.self) {
            try session.party.verifyNative(
                idToken: Secret("e30.e30.e30.e30.e30"), audiences: ["app"], nonce: "n",
                in: RequestScope(on: session.loop)
            ).wait()
        }
        #expect(error?.code == .invalidIDToken)
        #expect(provider.paths.isEmpty)
    }

    @Test func `an unreadable key is named where it is needed`() throws {
        let provider = try TestProvider()
        let session = Self.session(provider, ["n0-key-s3cret"])
        #expect(
            session.party.configuration.validate().map { $0.member as AnyKeyPath } == [
                \ProviderConfiguration.decryptionKeys
            ])
        #expect(try session.refusal() == nil)
        Self.encrypt(provider, to: try DecryptionKey.generateP256())
        let error = try session.refusal()
        #expect(error?.step == .idToken)
        #expect(error?.description.contains("decryptionKeys") == true)
        #expect(error?.description.contains("s3cret") == false)
    }
}

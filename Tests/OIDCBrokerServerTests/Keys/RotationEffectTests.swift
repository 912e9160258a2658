// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import Signing
import Testing

@testable import IdentityToolkit
@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer
@testable import OIDCBrokerState

/// What the broker does with the files of a rotation: the configuration accepts each, and what was sealed or signed
/// before a step is good after it, also where a process has not read the file yet.
struct RotationEffectTests {
    private static let limits = JSONLimits(maximumBytes: 65_536)

    /// The variable of the environment that names the file.
    private static func variable(_ kind: KeyRotation.Kind) -> String {
        switch kind {
        case .sealing: "AUTH_SEALING_KEYS"
        case .signing: "AUTH_SIGNING_KEYS"
        case .resource: "AUTH_RESOURCE_SIGNING_KEYS"
        case .accounts: "AUTH_ACCOUNTS_SIGNING_KEYS"
        case .sessionCookies: "AUTH_ACCOUNTS_SESSION_COOKIE_KEYS"
        }
    }

    @Test(arguments: KeyRotation.Kind.allCases)
    func `the configuration accepts the file after each step`(kind: KeyRotation.Kind) async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, kind)
            let name = Self.variable(kind)
            let all = SourcesFixture.environment(
                with: SourcesFixture.accounts.merging(SourcesFixture.resource) { $1 })
            let environment = all.filter { $0.key != name }.merging([name + "_FILE": file.path]) { $1 }
            for (step, time) in file.steps {
                try file.rotate(at: time)
                let configuration = try await SourcesFixture.load(environment: environment)
                #expect(configuration.exposedSecretFiles.isEmpty)
                let accounts = try #require(configuration.accounts)
                let count =
                    switch kind {
                    case .sealing: configuration.broker.sealingKeys.count
                    case .signing: configuration.broker.signingKeys.count
                    case .resource: configuration.broker.resourceSigningKeys.count
                    case .accounts: accounts.signingKeys.count
                    case .sessionCookies: accounts.sessionCookieKeys.count
                    }
                #expect(count == (step == .drop ? 1 : 2))
            }
        }
    }

    private static func sealer(_ file: RotatedFile) throws -> StateSealer {
        let lines = String(decoding: try file.contents, as: UTF8.self).split(separator: "\n")
        return StateSealer(
            keys: try lines.map { LoginKeys(sealingKey: try #require(Base64.decode(String($0)))) },
            issuer: "https://auth.example.com")
    }

    @Test func `a login that was sealed before a step opens after it, and one sealed after it opens before it`()
        async throws
    {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, .sealing)
            var (before, sealed) = (try Self.sealer(file), [String]())
            for (_, time) in file.steps {
                sealed.append(try #require(before.seal([1, 2, 3], for: .login)))
                try file.rotate(at: time)
                let after = try Self.sealer(file)
                let last = WireText(sealed[sealed.count - 1])
                #expect(after.open(last, for: .login)?.plaintext == [1, 2, 3])
                let new = try #require(after.seal([4], for: .login))
                #expect(before.open(WireText(new), for: .login)?.plaintext == [4])
                before = after
            }
            // The key of the first one is gone, after the day for which anything of it is kept.
            #expect(before.open(WireText(sealed[0]), for: .login)?.plaintext == nil)
        }
    }

    private static func keys(_ file: RotatedFile) throws -> [SigningKey] {
        let text = String(decoding: try file.contents, as: UTF8.self)
        if file.kind != .signing { return try SigningKeys(pem: text).all }
        return try #require(SigningKeys(pem: PEMBlocks.split(text).map { Secret($0) })).all
    }

    private static func verifies(_ token: String, _ document: [UInt8]) throws -> Bool {
        let keySet = try KeySet(json: document)
        return (try? JSONWebSignature(compact: token).verified(by: keySet, algorithms: [.es256])) != nil
    }

    @Test(arguments: [KeyRotation.Kind.signing, .resource, .accounts, .sessionCookies])
    func `an ID token of before a step verifies after it, and one of after it by the keys of before`(
        kind: KeyRotation.Kind
    ) async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, kind)
            var tokens: [String] = []
            for (_, time) in file.steps {
                let published = try #require(try file.file.keySetDocument())
                tokens.append(try #require(try Self.keys(file).first).sign(["sub": "ada"]))
                try file.rotate(at: time)
                #expect(try Self.verifies(tokens[tokens.count - 1], try #require(try file.file.keySetDocument())))
                let new = try #require(try Self.keys(file).first).sign(["sub": "ada"])
                #expect(try Self.verifies(new, published))
            }
            #expect(try !Self.verifies(tokens[0], try #require(try file.file.keySetDocument())))
        }
    }

    @Test func `keys of one algorithm are changed behind those of another, whose place they keep`() async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, .signing)
            let rsa = try SharedRSAKeys.pem(0)
            try directory.write("keys", Array(rsa.utf8) + [0x0A] + file.contents)
            try RotatedFile.setMode(0o600, of: file.path)
            let rsaID = try SigningKey(pem: rsa, algorithm: .rs256).keyID
            #expect(throws: KeyFileError.refused(.severalAlgorithms)) { try file.rotate(at: RotatedFile.start) }
            func rotate(_ algorithm: JSONWebAlgorithm?, at time: Int64) throws {
                try KeyRotation(path: file.path, kind: .signing, algorithm: algorithm).prepare(now: time).commit()
            }
            try rotate(.es256, at: file.steps[0].time)
            // What is in progress need not be named again, and is finished first.
            #expect(throws: KeyFileError.refused(.otherAlgorithm("ES256"))) {
                try rotate(.rs256, at: file.steps[1].time)
            }
            try rotate(nil, at: file.steps[1].time)
            try rotate(nil, at: file.steps[2].time)
            #expect(try file.ids.count == 2 && file.ids.first == rsaID)
            #expect(try file.file.lines.map { $0.contains(": signs, ") } == [true, true])
        }
    }

    @Test func `a first key of another algorithm is no rotation: it would sign at once`() async throws {
        try await TemporaryDirectory.use { directory in
            let file = try RotatedFile(directory, .signing)
            #expect(throws: KeyFileError.refused(.noKey("RS256"))) {
                try KeyRotation(path: file.path, kind: .signing, algorithm: .rs256).prepare(now: RotatedFile.start)
            }
        }
    }

    @Test func `a record in a secrets directory is no unknown key, and its sealing keys are elsewhere`() async throws {
        try await TemporaryDirectory.use { directory in
            let signing = try RotatedFile(directory, .signing, name: "auth-signing-keys")
            for (_, time) in signing.steps {
                try signing.rotate(at: time)
                let environment = SourcesFixture.environment(
                    without: ["AUTH_SIGNING_KEYS"], with: ["AUTH_SECRETS_DIRECTORY": directory.path])
                #expect(try await SourcesFixture.errors(environment: environment).isEmpty)
            }
            let sealing = try RotatedFile(directory, .sealing, name: "auth-sealing-keys")
            #expect(throws: KeyFileError.refused(.ofSecretsDirectory)) { try sealing.rotate(at: RotatedFile.start) }
        }
    }

    @Test func `the times are as long as what the broker and its caches keep`() {
        let longestToken = BrokerConfiguration.App.tokenLifetimeBounds.upperBound.components.seconds
        #expect(KeyRotation.Kind.idTokenAge >= longestToken + 300)
        #expect(KeyRotation.Kind.sealedAge >= longestToken)
        #expect(KeyRotation.Kind.accountKeysAge >= Int64(AccountDocuments.maximumAge))
        let accountToken = AccountTokens.lifetime + AccountTokens.graceAfterExpiry
        #expect(KeyRotation.Kind.accountTokenAge >= accountToken + KeyRotation.Kind.reload)
        #expect(KeyRotation.Kind.sessionCookieAge >= SessionCookies.lifetimes.upperBound + 300)
        #expect(KeyRotation.Kind.sealedAge >= UnverifiedNames.lifetime)
        #expect(KeyRotation.Kind.sealedAge >= LoginState.longestLifetime + KeyRotation.Kind.reload)
    }
}

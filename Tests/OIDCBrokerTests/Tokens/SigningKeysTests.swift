// SPDX-License-Identifier: Apache-2.0

import Admission
import Crypto
import JOSE
import JWTKit
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import Signing
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages
@testable import OIDCBrokerState

/// The keys that sign ID tokens: which one signs for which app, what is published, and where RSA signatures are made.
struct SigningKeysTests {
    private static let elliptic = Installation.signingKey
    private static let secondElliptic = P256.Signing.PrivateKey().pemRepresentation

    private static func installation(
        _ keys: [String], executor: any SigningExecutor = InlineSigningExecutor(), limit: Int = SigningQueue.limit,
        configure: (inout BrokerConfiguration) -> Void = { _ in }
    ) throws -> Installation {
        try Installation(signing: SigningQueue(executor: executor, limit: limit)) {
            $0.signingKeys = keys.map { Secret($0) }
            configure(&$0)
        }
    }

    /// Signs in and returns the code.
    private static func code(_ app: AppClient, _ installation: Installation) throws -> String {
        var browser = Browser(installation)
        let request = try browser.start(app)
        let location = try Location(try browser.bring(installation.provider.signIn(request)))
        return try #require(location["code"])
    }

    private static func idToken(_ app: AppClient, _ installation: Installation) throws -> String {
        let response = try installation.redeem(try code(app, installation), app)
        #expect(response.status == 200)
        return try #require(try response.json()["id_token"]?.text?.makeString())
    }

    private static func header(of token: String) throws -> JSONObject {
        let text = try #require(Base64URL.decode(String(token.prefix { $0 != "." })))
        return try JSONParser.object(text, limits: JSONLimits(maximumBytes: 1000))
    }

    private struct Payload: JWTPayload {
        var sub: String
        var aud: String

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private static func signedByRSA() throws -> (token: String, keySet: String) {
        let installation = try installation([elliptic, SharedRSAKeys.pem(1)])
        return (try idToken(.shop, installation), try installation.get("/__/auth/jwks").text)
    }

    @Test func `an RS256 token is verified by jwt-kit with the published key set`() async throws {
        let (token, keySet) = try Self.signedByRSA()
        let collection = JWTKeyCollection()
        try await collection.add(jwksJSON: keySet)
        #expect(try await collection.verify(token, as: Payload.self).aud == "shop")
        await #expect(throws: (any Error).self) {
            try await collection.verify(String(token.dropLast(8)) + "AAAAAAAA", as: Payload.self)
        }
    }

    @Test func `RS256 signs by default where there is an RSA key, and the app's own algorithm where it has one`() throws
    {
        let rsa = try SharedRSAKeys.pem(1)
        let installation = try Self.installation([Self.elliptic, rsa]) { $0.apps[1].idTokenAlgorithm = .es256 }
        let byDefault = try Self.header(of: Self.idToken(.shop, installation))
        #expect(byDefault["alg"]?.text?.makeString() == "RS256")
        #expect(byDefault["kid"]?.text?.makeString() == (try SigningKey(pem: rsa, algorithm: .rs256).keyID))
        let chosen = try Self.header(of: Self.idToken(.back, installation))
        #expect(chosen["alg"]?.text?.makeString() == "ES256")
    }

    @Test func `the first key of an algorithm signs, and all are published, those of RSA first`() throws {
        let texts = [Self.secondElliptic, Self.elliptic, try SharedRSAKeys.pem(2), try SharedRSAKeys.pem(1)]
        let installation = try Self.installation(texts) { $0.apps[1].idTokenAlgorithm = .es256 }
        let first = try SigningKey(pem: Self.secondElliptic).keyID
        #expect(try Self.header(of: Self.idToken(.back, installation))["kid"]?.text?.makeString() == first)
        let keys = try #require(try installation.get("/__/auth/jwks").json()["keys"]?.arrayValue)
        let ids = [
            try SigningKey(pem: texts[2], algorithm: .rs256).keyID,
            try SigningKey(pem: texts[3], algorithm: .rs256).keyID,
            first, try SigningKey(pem: Self.elliptic).keyID,
        ]
        #expect(keys.compactMap { $0.objectValue?["kid"]?.text?.makeString() } == ids)
        #expect(keys.allSatisfy { $0.objectValue?["d"] == nil && $0.objectValue?["p"] == nil })
    }

    @Test(arguments: [false, true])
    func `the metadata list what there are keys for`(hasRSA: Bool) throws {
        let installation = try Self.installation([Self.elliptic] + (hasRSA ? [SharedRSAKeys.pem(1)] : []))
        let metadata = try installation.get("/__/auth/.well-known/openid-configuration").json()
        let algorithms = metadata["id_token_signing_alg_values_supported"]?.arrayValue?.compactMap {
            $0.text?.makeString()
        }
        #expect(algorithms == (hasRSA ? ["RS256", "ES256"] : ["ES256"]))
    }

    @Test func `keys that cannot sign are refused: another curve, a large or small RSA key, one twice, too many`()
        throws
    {
        let rsa = try SharedRSAKeys.pem(1)
        #expect(SigningKeys(pem: [Secret(rsa)]) != nil)
        let refused: [[String]] = [
            [], [P384.Signing.PrivateKey().pemRepresentation], [Self.elliptic, Self.elliptic],
            [Self.elliptic, "no key"],
            [RefusedRSAKeys.large], [RefusedRSAKeys.small],
            (0...SigningKeys.maximumCount).map { _ in P256.Signing.PrivateKey().pemRepresentation },
        ]
        for texts in refused { #expect(SigningKeys(pem: texts.map { Secret($0) }) == nil, "\(texts.count)") }
        #expect(SigningKeys(pem: refused[6].dropLast().map { Secret($0) }) != nil)
    }

    @Test func `an algorithm without a key is a configuration error`() throws {
        let error = #expect(throws: BrokerConfigurationError.self) {
            try Self.installation([Self.elliptic]) { $0.apps[0].idTokenAlgorithm = .rs256 }
        }
        #expect(error?.errors.map(\.key) == ["auth.app.shop.id-token-algorithm"])
        #expect(error?.errors.first?.expected.contains("for which auth.signing-keys has a key") == true)
    }

    @Test func `a webhook's key must differ from them`() throws {
        let error = #expect(throws: BrokerConfigurationError.self) {
            try Self.installation([Self.secondElliptic, Self.elliptic]) {
                $0.webhook = .init(url: "https://app.example/hook", signingKey: Secret(Self.elliptic))
            }
        }
        #expect(error?.errors.map(\.key) == ["auth.webhook.signing-key"])
    }

    @Test func `an RSA signature is not made on the event loop, an ES256 one is made at once`() throws {
        let executor = HeldSigningExecutor()
        let installation = try Self.installation([Self.elliptic, SharedRSAKeys.pem(1)], executor: executor) {
            $0.apps[1].idTokenAlgorithm = .es256
        }
        #expect(try Self.idToken(.back, installation).isEmpty == false)
        #expect(executor.count == 0)
        let shop = AppClient.shop
        let pending = try installation.pending(shop.tokenForm(Self.code(shop, installation)))
        #expect(pending.response == nil)
        #expect(executor.count == 1)
        executor.run()
        installation.eventLoop.run()
        #expect(pending.response?.status == 200)
    }

    @Test func `where too many wait for a signature, the next one is refused and its code is not used up`() throws {
        let executor = HeldSigningExecutor()
        let installation = try Self.installation([SharedRSAKeys.pem(1)], executor: executor, limit: 2)
        let shop = AppClient.shop
        let codes = try (0..<3).map { _ in try Self.code(shop, installation) }
        let waiting = codes[..<2].map { installation.pending(shop.tokenForm($0)) }
        let refused = try installation.redeem(codes[2], shop)
        #expect(refused.status == 503)
        #expect(try refused.json()["error"]?.text?.makeString() == "temporarily_unavailable")
        executor.run()
        installation.eventLoop.run()
        #expect(waiting.allSatisfy { $0.response?.status == 200 })
        // A refused code gives its place back as well.
        for _ in 0..<3 { #expect(try installation.redeem("wrong", .shop).status == 400) }
        let last = installation.pending(shop.tokenForm(codes[2]))
        executor.run()
        installation.eventLoop.run()
        #expect(last.response?.status == 200)
    }

    @Test func `credentials that wait for a provider keep no redemption waiting`() throws {
        let executor = HeldSigningExecutor()
        let queue = SigningQueue(executor: executor, limit: 1)
        let key = try SigningKey(pem: SharedRSAKeys.pem(1), algorithm: .rs256)
        let loop = EmbeddedEventLoop()
        let exchange = loop.makePromise(of: Void.self)
        _ = try queue.reserve(key, for: .nativeCredential, of: nil) { .future(exchange.futureResult) }
        #expect(throws: TokenError.self) {
            try queue.reserve(key, for: .nativeCredential, of: nil) { .future(exchange.futureResult) }
        }
        let redemption = try queue.reserve(key, for: .redemption, of: nil) { .value(()) }.future(on: loop)
        try redemption.wait()
        exchange.succeed()
        try queue.reserve(key, for: .nativeCredential, of: nil) { .value(()) }.future(on: loop).wait()
    }

    @Test func `one network gets a share of the places, and another client finds one`() throws {
        let executor = HeldSigningExecutor()
        let installation = try Self.installation([SharedRSAKeys.pem(1)], executor: executor, limit: 9)
        func pending(_ app: AppClient, from address: String) throws -> PendingResponse {
            let client = try #require(IPAddress(address))
            return try installation.pending(app.tokenForm(Self.code(app, installation)), from: client)
        }
        // Other networks of one /48, of a public app.
        let crowd = try (0..<4).map { try pending(.shop, from: "2001:db8:0:\($0)::1") }
        #expect(crowd.map { $0.response?.status } == [nil, nil, nil, 503])
        let other = try pending(.shop, from: "192.0.2.1")
        // A confidential app is a server, which speaks for many users.
        let server = try (0..<4).map { _ in try pending(.back, from: "2001:db8::1") }
        #expect(executor.count == 8)
        executor.run()
        installation.eventLoop.run()
        #expect((crowd[..<3] + [other] + server).allSatisfy { $0.response?.status == 200 })
        let again = try pending(.shop, from: "2001:db8::1")
        executor.run()
        installation.eventLoop.run()
        #expect(again.response?.status == 200)
    }

    @Test func `a token of a replaced key still identifies its user while the key is published`() throws {
        let rsa = try SharedRSAKeys.pem(1)
        let token = try Self.idToken(.shop, Self.installation([rsa]))
        for (keys, isKnown) in [([Self.elliptic, rsa], true), ([Self.elliptic], false)] {
            let installation = try Self.installation(keys)
            let snapshot = installation.broker.current
            let app = try #require(snapshot.app(name: "shop"))
            let found = snapshot.issuedToken(token, to: app, now: installation.clock.now())
            #expect((found != nil) == isKnown)
        }
    }
}

/// An executor that holds work until a test runs it.
private final class HeldSigningExecutor: SigningExecutor {
    private let held = Mutex<[@Sendable () -> Void]>([])

    /// The number of pieces of work.
    var count: Int { held.withLock { $0.count } }

    func execute(_ work: @escaping @Sendable () -> Void) { held.withLock { $0.append(work) } }

    func run() {
        let works = held.withLock { held in
            defer { held = [] }
            return held
        }
        for work in works { work() }
    }
}

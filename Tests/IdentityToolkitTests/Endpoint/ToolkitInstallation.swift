// SPDX-License-Identifier: Apache-2.0

import Accounts
import Admission
import Crypto
import HTTPTypes
import JOSE
import Logging
import Metrics
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Signing
import SignInWithApple
import SignInWithAppleTesting
import SingleUse
import StoreTesting
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// A broker with the wire beside it, two providers in memory that sign with real keys, and one web app.
struct ToolkitInstallation: Sendable {
    static let toolkit = "/identitytoolkit.googleapis.com/v1/"
    static let legacy = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"
    static let apiKey = "web-4f1c0000"
    static let origin = "https://app.example.com"
    static let audience = "app-at-provider"
    static let issuer = "https://auth.example.com/__/auth/accounts"

    /// What a test wants otherwise.
    struct Options: Sendable {
        /// Where the accounts are kept; `nil` for the installation's own store, which is empty otherwise.
        var accounts: (any AccountStore)?
        var limiter: any AccountLimiter = TokenBucketLimiter()
        var projectID = "acme-shop"
        /// The PEM text of the key of the accounts; `nil` for a new one.
        var accountKey: String?
        /// The PEM text of the key of session cookies; `nil` for none.
        var cookieKey: String?
        /// The PEM text of the key of the broker's own tokens.
        var brokerKey = P256.Signing.PrivateKey().pemRepresentation
        /// The apps of the SDKs beside the web app.
        var apps: [SDKApp] = []
        /// What the web app requires of its users. The first provider hands on groups.
        var require = BrokerConfiguration.RequiredClaims()
        /// The client IDs of the broker's own app.
        var shopAudiences: [BrokerConfiguration.NativeAudience] = []
        /// The ID of the second provider.
        var boldID = "oidc.bold"
        /// Whether a third provider is in the place of Apple.
        var hasApple = false
        /// Whether UserInfo is fetched from the first provider.
        var hasUserInfo = false
        /// The limits of the broker on who asks.
        var requestLimits = RequestLimits()
        /// Whether the broker's elapsed time is that of the test's clock.
        var hasTestClockOnly = false
        /// What stands before the broker's store, as one that is shared; `nil` for nothing.
        var interposing: (@Sendable (InMemorySingleUseStore) -> any SingleUseStore)?
        /// Who decides about new accounts; `nil` if the policy alone does.
        var newAccounts: NewAccountDecider?
        var logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        /// The logger of the audit.
        var auditLogger: Logger?
        /// The metrics system; `nil` for the one that is bootstrapped.
        var metrics: (any MetricsFactory)?
    }

    let broker: Broker
    let configuration: BrokerConfiguration
    let service: AccountService
    /// What makes session cookies; `nil` if they are not offered.
    let cookies: SessionCookies?
    let store = ModelAccountStore()
    /// The broker's store of what may be used once.
    let singleUse: InMemorySingleUseStore
    let clock = TestClock()
    let providers: [String: TestProvider]
    /// The address of the client that sends requests.
    var client: IPAddress?
    private let loop = MultiThreadedEventLoopGroup.singleton.any()

    init(
        policy: AccountPolicy = AccountPolicy(),
        issuer: String = ToolkitInstallation.issuer, options: Options = Options()
    ) throws {
        let (clock, store) = (clock, store)
        singleUse = InMemorySingleUseStore(clock: clock.elapsed, wallClock: clock)
        var providers: [String: TestProvider] = [:]
        for (name, id) in [("acme", "oidc.acme"), ("bold", options.boldID)] {
            providers[id] = try TestProvider(
                issuer: "https://login.\(name).example", client: .init(id: "broker", secret: "secret"), clock: clock)
        }
        if options.hasApple {
            providers[AppleIssuer.providerID] = try TestProvider(
                issuer: AppleIssuer.issuer, client: .init(id: "broker", secret: "secret"), clock: clock)
        }
        self.providers = providers
        let keys = try Self.keys(options.accountKey)
        guard let publicURL = PublicURL("https://auth.example.com"),
            let tokens = AccountTokens(
                projectID: options.projectID, issuer: issuer, keys: keys)
        else { throw ToolkitInstallationError() }
        service = AccountService(
            store: options.accounts ?? store, policy: policy, tokens: tokens, clock: { clock.now() },
            queues: AccountQueues(), newAccounts: options.newAccounts)
        cookies = try options.cookieKey.map { SessionCookies(for: tokens, keys: try SigningKeys(pem: $0)) }
        let app = SDKApp(
            name: "web", apiKey: Self.apiKey, authorizedDomains: ["app.example.com"],
            nativeAudiences: providers.keys.map { SDKApp.NativeAudience(provider: $0, audience: Self.audience) },
            require: options.require)
        let sealingKey = [UInt8](repeating: 7, count: 32)
        let toolkit = try IdentityToolkit(
            service: service, apps: [app] + options.apps,
            publicURL: "https://auth.example.com/__/auth",
            limits: IdentityToolkit.AccountLimits(
                limiter: options.limiter, elapsed: { clock.now() }),
            cookies: cookies)
        var configuration = BrokerConfiguration(
            publicURL: publicURL,
            providers: ["acme", "bold"].map { name in
                BrokerConfiguration.Provider(
                    name: name, issuer: "https://login.\(name).example", clientID: "broker",
                    clientSecret: Secret("secret"))
            },
            apps: [BrokerConfiguration.App(name: "shop", redirectURIs: ["https://shop.example/callback"])])
        configuration.sealingKeys = [Secret(Base64.encode(sealingKey))]
        configuration.signingKeys = [Secret(options.brokerKey)]
        configuration.apps[0].nativeAudiences = options.shopAudiences
        configuration.providers[0].claims = [.init("groups")]
        configuration.providers[0].configuration.userInfo = options.hasUserInfo
        configuration.providers[1].id = options.boldID
        if options.hasApple {
            let key = MockApple.DeveloperKey.make(teamID: "TEAM123456")
            configuration.providers.append(
                .apple(
                    clientID: "com.example.web", teamID: key.teamID, keyID: key.keyID, privateKey: key.privateKey))
        }
        self.configuration = configuration
        let stores: SingleUseStores =
            if let interposing = options.interposing { .shared(interposing(singleUse)) } else { .inMemory(singleUse) }
        let elapsed: any ElapsedClock = options.hasTestClockOnly ? clock.elapsed : SystemElapsedClock()
        broker = try Broker(
            configuration: configuration, transport: SeveralProviders(Array(providers.values)),
            stores: stores, clock: clock, elapsed: elapsed,
            logger: options.logger, limits: BrokerLimits(),
            requestLimits: options.requestLimits, extensions: toolkit.extensions, auditLogger: options.auditLogger,
            metricsFactory: options.metrics)
    }

    private static func keys(_ pem: String?) throws -> SigningKeys {
        guard let pem else { return try SigningKeys.generate() }
        return try SigningKeys(pem: pem)
    }

    /// An ID token that an app got from a provider, bound to a nonce.
    /// - Parameter changes: Claims that replace the others; null takes one out.
    func token(
        _ subject: String, at provider: String = "oidc.acme", email: String? = nil, isVerified: Bool = true,
        nonce: String = "raw-nonce", changes: JSONObject = [:]
    ) throws -> String {
        guard let provider = providers[provider] else { throw ToolkitInstallationError() }
        let now = clock.now()
        var claims: JSONObject = [
            "iss": .string(provider.issuer), "sub": .string(subject), "aud": .string(Self.audience),
            "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 300)),
            "nonce": .string(NoncePair(raw: nonce).hashed),
        ]
        if let email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(isVerified)
        }
        for member in changes.members { claims[member.name] = member.value == .null ? nil : member.value }
        return try provider.key.sign(claims)
    }

    /// A body as the SDK for JavaScript writes it.
    static func postBody(
        _ token: String, at provider: String = "oidc.acme", nonce: String = "raw-nonce", accessToken: String? = nil
    ) -> String {
        "&id_token=\(token)&providerId=\(provider)&nonce=\(nonce)" + (accessToken.map { "&access_token=\($0)" } ?? "")
    }

    func signIn(
        _ token: String, at provider: String = "oidc.acme", idToken: String? = nil, autoCreate: Bool? = nil,
        accessToken: String? = nil, pendingToken: String? = nil, returnsCredential: Bool = true
    ) async throws -> (status: Int, members: JSONObject) {
        var body: JSONObject = ["requestUri": "http://localhost", "returnSecureToken": true]
        if let pendingToken {
            body["pendingToken"] = .string(pendingToken)
        } else {
            body["postBody"] = .string(Self.postBody(token, at: provider, accessToken: accessToken))
        }
        if let idToken { body["idToken"] = .string(idToken) }
        if let autoCreate { body["autoCreate"] = .bool(autoCreate) }
        if returnsCredential { body["returnIdpCredential"] = true }
        return try await post(Self.toolkit + "accounts:signInWithIdp", body)
    }

    func post(_ path: String, _ body: JSONObject) async throws -> (status: Int, members: JSONObject) {
        let response = try await respond(.post, path + "?key=" + Self.apiKey, body: body.serialized())
        let bytes = Array(response.body.readableBytesView)
        let members =
            bytes.isEmpty ? JSONObject() : try JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 65_536))
        return (response.head.status.code, members)
    }

    func respond(
        _ method: HTTPRequest.Method, _ target: String, fields: HTTPFields = [:], body: [UInt8] = []
    ) async throws -> BrokerResponse {
        let request = BrokerRequest(
            head: HTTPRequest(
                method: method, scheme: "https", authority: "auth.example.com", path: target, headerFields: fields),
            body: ByteBuffer(bytes: body), client: client)
        return try await loop.flatSubmit { broker.response(to: request, on: loop) }.get()
    }
}

struct ToolkitInstallationError: Error {}

extension JSONObject {
    func string(_ name: String) -> String? { self[name]?.text?.makeString() }

    /// The message of an error.
    var message: String? { self["error"]?.objectValue?.string("message") }
}

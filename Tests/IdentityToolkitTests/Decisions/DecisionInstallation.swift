// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import HTTPTypes
import JOSE
import Logging
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
import Synchronization
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// A broker with accounts: an app of the OpenID kind that enters them, and an app of an SDK. Two providers in memory
/// sign with real keys, one of them in the place of Apple.
struct DecisionInstallation: Sendable {
    private static let publicURL = "https://auth.example.com/__/auth"
    private static let apiKey = "ios-4f1c0000"
    private static let rawNonce = "raw-nonce"
    /// The bundle ID of the SDK's app.
    static let bundleID = "com.example.sdk"

    /// The ID of a provider, and what the apps are called there.
    enum Provider: String, CaseIterable {
        case acme = "oidc.acme"
        case apple = "apple.com"

        var issuer: String { self == .apple ? AppleIssuer.issuer : "https://login.acme.example" }
        /// The app of the OpenID kind.
        var shopAudience: String { self == .apple ? "com.example.shop" : "shop-at-acme" }
        /// The app of the SDK.
        var sdkAudience: String { self == .apple ? DecisionInstallation.bundleID : "sdk-at-acme" }
    }

    /// A store that can be unavailable.
    final class Store: AccountStore {
        let model = ModelAccountStore()
        private let isDown = Mutex(false)

        func goDown(_ isDown: Bool) { self.isDown.withLock { $0 = isDown } }

        func transact<Result: Sendable>(
            _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            guard !isDown.withLock({ $0 }) else {
                return eventLoop.makeFailedFuture(AccountStoreError(.unavailable, "the disk is full"))
            }
            return model.transact(mode, on: eventLoop, body)
        }

        func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
            model.sweep(before: now, limit: limit, on: eventLoop)
        }
    }

    let broker: Broker
    let configuration: BrokerConfiguration
    let toolkit: IdentityToolkit
    let service: AccountService
    let store = Store()
    let clock = TestClock()
    let providers: [Provider: TestProvider]
    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()

    init(
        policy: AccountPolicy = AccountPolicy(), limiter: any AccountLimiter = TokenBucketLimiter(),
        auditLogger: Logger? = nil, newAccounts: NewAccountDecider? = nil,
        logouts: [WireText: AccountListener] = [:],
        configure: (inout BrokerConfiguration) -> Void = { _ in }
    ) throws {
        let clock = clock
        var providers: [Provider: TestProvider] = [:]
        for provider in Provider.allCases {
            providers[provider] = try TestProvider(
                issuer: provider.issuer, client: .init(id: "broker", secret: "secret"), clock: clock)
        }
        self.providers = providers
        let keys = try SigningKeys.generate()
        guard let origin = PublicURL("https://auth.example.com"),
            let tokens = AccountTokens(projectID: "acme-shop", issuer: Self.publicURL + "/accounts", keys: keys)
        else { throw ToolkitInstallationError() }
        service = AccountService(
            store: store, policy: policy, tokens: tokens, clock: { clock.now() }, queues: AccountQueues(),
            logouts: logouts, newAccounts: newAccounts)
        let sdkApp = SDKApp(
            name: "sdk", kind: .ios, apiKey: Self.apiKey,
            nativeAudiences: Provider.allCases.map {
                SDKApp.NativeAudience(provider: $0.rawValue, audience: $0.sdkAudience)
            })
        let sealingKey = [UInt8](repeating: 7, count: 32)
        toolkit = try IdentityToolkit(
            service: service, apps: [sdkApp], publicURL: Self.publicURL,
            limits: IdentityToolkit.AccountLimits(limiter: limiter, elapsed: { clock.now() }))
        var shop = BrokerConfiguration.App(name: "shop", redirectURIs: ["https://shop.example/callback"])
        shop.accounts = true
        shop.nativeAudiences = Provider.allCases.map { .init(provider: $0.rawValue, audience: $0.shopAudience) }
        var configuration = BrokerConfiguration(
            publicURL: origin,
            providers: [
                BrokerConfiguration.Provider(
                    name: "acme", issuer: Provider.acme.issuer, clientID: "broker", clientSecret: Secret("secret")),
                // Without a key, native credentials are verified only.
                .apple(clientID: "", teamID: nil, keyID: nil, privateKey: nil),
            ],
            apps: [shop])
        configuration.providers[0].backChannelLogout = true
        configuration.sealingKeys = [Secret(Base64.encode(sealingKey))]
        configuration.signingKeys = [Secret(P256.Signing.PrivateKey().pemRepresentation)]
        configure(&configuration)
        self.configuration = configuration
        broker = try Broker(
            configuration: configuration, transport: SeveralProviders(Array(providers.values)),
            stores: .inMemory(InMemorySingleUseStore(clock: clock.elapsed, wallClock: clock)), clock: clock,
            elapsed: clock.elapsed,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, limits: BrokerLimits(),
            extensions: toolkit.extensions, auditLogger: auditLogger)
    }

    private func key(of provider: Provider) throws -> SigningKey {
        guard let provider = providers[provider] else { throw ToolkitInstallationError() }
        return provider.key
    }

    /// An ID token that an app got from a provider. Each is another one.
    private func token(
        _ subject: String, at provider: Provider, for audience: String, email: String?, session: String? = nil,
        more: JSONObject = [:]
    ) throws -> String {
        let now = clock.now()
        var claims: JSONObject = [
            "iss": .string(provider.issuer), "sub": .string(subject), "aud": .string(audience),
            "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 300)),
            "nonce": .string(NoncePair(raw: Self.rawNonce).hashed),
            "jti": .string(Base64URL.encode(SecureRandom.bytes(16))),
        ]
        if let session { claims["sid"] = .string(session) }
        for member in more.members { claims[member.name] = member.value }
        if let email {
            claims["email"] = .string(email)
            claims["email_verified"] = true
        }
        return try key(of: provider).sign(claims)
    }

    // MARK: The app of the OpenID kind

    /// What an app got.
    struct Answer: Sendable {
        let status: Int
        let members: JSONObject

        var error: String? { members.string("error") }
        var account: String? { members.string("account") }
    }

    /// A credential of the app.
    func credential(
        _ subject: String, at provider: Provider = .acme, email: String? = nil, claims: JSONObject = [:]
    ) throws -> (provider: Provider, idToken: String) {
        (provider, try token(subject, at: provider, for: provider.shopAudience, email: email, more: claims))
    }

    /// The app presents a credential.
    func present(_ credential: (provider: Provider, idToken: String), user: String? = nil) async throws -> Answer {
        let form = [
            ("client_id", "shop"), ("provider", credential.provider.rawValue), ("id_token", credential.idToken),
            ("raw_nonce", Self.rawNonce),
        ]
        return try await answer(
            "/__/auth/credential", "application/x-www-form-urlencoded",
            Query.encode(form + (user.map { [("user", $0)] } ?? [])))
    }

    /// The claims of an ID token of the broker.
    func claims(of answer: Answer) async throws -> JSONObject {
        guard let token = answer.members.string("id_token") else { throw ToolkitInstallationError() }
        let keys = try await respond(.get, "/__/auth/jwks", nil, "")
        return try JSONWebSignature(compact: token).verified(
            by: try KeySet(json: Array(keys.body.readableBytesView)), algorithms: [.es256]
        ).claims
    }

    // MARK: The app of the SDK

    /// A sign-in, or a link where there is a session.
    func signIn(
        _ subject: String, at provider: Provider, email: String? = nil, idToken: String? = nil, user: String? = nil,
        session: String? = nil
    ) async throws -> JSONObject {
        try await answerToSignIn(
            subject, at: provider, email: email, idToken: idToken, user: user, session: session
        ).members
    }

    /// The response to a sign-in, whatever its status.
    func answerToSignIn(
        _ subject: String, at provider: Provider, email: String? = nil, idToken: String? = nil, user: String? = nil,
        session: String? = nil
    ) async throws -> Answer {
        let token = try token(subject, at: provider, for: provider.sdkAudience, email: email, session: session)
        let postBody = "id_token=\(token)&providerId=\(provider.rawValue)&nonce=\(Self.rawNonce)"
        var body: JSONObject = [
            "requestUri": "http://localhost", "postBody": .string(postBody + (user.map { "&user=" + $0 } ?? "")),
        ]
        if let idToken { body["idToken"] = .string(idToken) }
        return try await answer(
            "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=" + Self.apiKey, "application/json",
            String(decoding: body.serialized(), as: UTF8.self))
    }

    /// A refresh of the session of a sign-in.
    func refresh(_ signIn: JSONObject) async throws -> Answer {
        try await answer(
            "/securetoken.googleapis.com/v1/token?key=" + Self.apiKey, "application/x-www-form-urlencoded",
            "grant_type=refresh_token&refresh_token=" + (signIn.string("refreshToken") ?? ""))
    }

    // MARK: Apple

    /// The status of the response to a notification of Apple.
    /// - Parameter time: The time of the event, in seconds since 1970; `nil` if Apple does not say it.
    func notify(
        _ type: String, about subject: String, to audience: String = DecisionInstallation.bundleID,
        identifier: String = "jti-1", at time: Int64? = nil
    ) async throws -> Int {
        let now = clock.now()
        var event: JSONObject = ["type": .string(type), "sub": .string(subject)]
        // Apple writes milliseconds.
        if let time { event["event_time"] = .number(JSONNumber(time * 1000)) }
        let claims: JSONObject = [
            "iss": .string(AppleIssuer.issuer), "aud": .string(audience), "iat": .number(JSONNumber(now)),
            "exp": .number(JSONNumber(now + 86_400)), "jti": .string(identifier),
            "events": .string(String(decoding: event.serialized(), as: UTF8.self)),
        ]
        let body: JSONObject = ["payload": .string(try key(of: .apple).sign(claims))]
        return try await respond(
            .post, "/__/auth/notifications/apple", "application/json",
            String(decoding: body.serialized(), as: UTF8.self)
        ).head.status.code
    }

    // MARK: Logout tokens

    /// The status of the response to a logout token of the provider that is not Apple.
    func logOut(subject: String? = nil, session: String? = nil, events: JSONObject = [:]) async throws -> Int {
        let now = clock.now()
        var all: JSONObject = ["http://schemas.openid.net/event/backchannel-logout": [:]]
        for event in events.members { all[event.name] = event.value }
        var claims: JSONObject = [
            "iss": .string(Provider.acme.issuer), "aud": "broker", "iat": .number(JSONNumber(now)),
            "exp": .number(JSONNumber(now + 120)), "jti": .string(Base64URL.encode(SecureRandom.bytes(16))),
            "events": .object(all),
        ]
        if let subject { claims["sub"] = .string(subject) }
        if let session { claims["sid"] = .string(session) }
        let token = try key(of: .acme).sign(claims, type: "logout+jwt", header: [:])
        return try await respond(
            .post, "/__/auth/notifications/acme", "application/x-www-form-urlencoded", "logout_token=" + token
        ).head.status.code
    }

    // MARK: Requests

    private func answer(_ target: String, _ contentType: String, _ body: String) async throws -> Answer {
        try answer(try await respond(.post, target, contentType, body))
    }

    func answer(_ response: BrokerResponse) throws -> Answer {
        let bytes = Array(response.body.readableBytesView)
        let members =
            bytes.isEmpty ? JSONObject() : try JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 65_536))
        return Answer(status: response.head.status.code, members: members)
    }

    func respond(
        _ method: HTTPRequest.Method, _ target: String, _ contentType: String?, _ body: String,
        fields: HTTPFields = [:]
    ) async throws -> BrokerResponse {
        var fields = fields
        if let contentType { fields[.contentType] = contentType }
        let request = BrokerRequest(
            head: HTTPRequest(
                method: method, scheme: "https", authority: "auth.example.com", path: target, headerFields: fields),
            body: ByteBuffer(string: body))
        return try await loop.flatSubmit { broker.response(to: request, on: loop) }.get()
    }
}

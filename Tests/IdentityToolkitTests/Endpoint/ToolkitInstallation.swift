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
import SignInWithApple
import TestingSupport

@testable import IdentityToolkit

/// A broker with the wire beside it, two providers in memory that sign with real keys, and one web app.
struct ToolkitInstallation: Sendable {
    static let toolkit = "/identitytoolkit.googleapis.com/v1/"
    static let legacy = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"
    static let apiKey = "web-4f1c0000"
    static let origin = "https://app.example.com"
    static let audience = "app-at-provider"

    let broker: Broker
    let service: AccountService
    let store = ModelAccountStore()
    let clock = TestClock()
    let providers: [String: TestProvider]
    private let loop = MultiThreadedEventLoopGroup.singleton.any()

    private struct Transport: ProviderTransport {
        let providers: [TestProvider]

        func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
            guard let provider = providers.first(where: { $0.issuer == request.url.origin }) else {
                return eventLoop.makeFailedFuture(ProviderTransportError.unreachable)
            }
            return provider.execute(request, on: eventLoop)
        }
    }

    init(policy: AccountPolicy = AccountPolicy(), maximumBuckets: Int = 1000) throws {
        let clock = clock
        var providers: [String: TestProvider] = [:]
        for name in ["acme", "bold"] {
            providers["oidc." + name] = try TestProvider(
                issuer: "https://login.\(name).example", client: .init(id: "broker", secret: "secret"), clock: clock)
        }
        self.providers = providers
        let keys = try AccountSigningKeys.generate()
        guard let publicURL = PublicURL("https://auth.example.com"),
            let tokens = AccountTokens(
                projectID: "acme-shop", issuer: "https://auth.example.com/__/auth/accounts", keys: keys)
        else { throw ToolkitInstallationError() }
        service = AccountService(store: store, policy: policy, tokens: tokens, clock: { clock.now() })
        let app = SDKApp(
            name: "web", apiKey: Self.apiKey, authorizedDomains: ["app.example.com"],
            nativeAudiences: providers.keys.map { SDKApp.NativeAudience(provider: $0, audience: Self.audience) })
        let sealingKey = [UInt8](repeating: 7, count: 32)
        let toolkit = IdentityToolkit(
            service: service, apps: [app], sealingKeys: [sealingKey],
            handlerURL: "https://auth.example.com/__/auth/handler",
            limits: IdentityToolkit.AccountLimits(
                limiter: TokenBucketLimiter(), elapsed: { clock.now() }))
        var configuration = BrokerConfiguration(
            publicURL: publicURL,
            providers: ["acme", "bold"].map { name in
                BrokerConfiguration.Provider(
                    name: name, issuer: "https://login.\(name).example", clientID: "broker",
                    clientSecret: Secret("secret"))
            },
            apps: [BrokerConfiguration.App(name: "shop", redirectURIs: ["https://shop.example/callback"])])
        configuration.sealingKeys = [Secret(Base64.encode(sealingKey))]
        configuration.signingKeys = [Secret(P256.Signing.PrivateKey().pemRepresentation)]
        broker = try Broker(
            configuration: configuration, transport: Transport(providers: Array(providers.values)),
            stores: .inMemory(InMemorySingleUseStore()), clock: clock, elapsed: SystemElapsedClock(),
            logger: Logger(label: "test"), limits: BrokerLimits(), extensions: [toolkit])
    }

    /// An ID token that an app got from a provider, bound to a nonce.
    func token(
        _ subject: String, at provider: String = "oidc.acme", email: String? = nil, isVerified: Bool = true,
        nonce: String = "raw-nonce"
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
        return try provider.key.sign(claims)
    }

    /// A body as the SDK for JavaScript writes it.
    static func postBody(_ token: String, at provider: String = "oidc.acme", nonce: String = "raw-nonce") -> String {
        "&id_token=\(token)&providerId=\(provider)&nonce=\(nonce)"
    }

    func signIn(
        _ token: String, at provider: String = "oidc.acme", idToken: String? = nil, autoCreate: Bool? = nil,
        pendingToken: String? = nil, returnsCredential: Bool = true
    ) async throws -> (status: Int, members: JSONObject) {
        var body: JSONObject = ["requestUri": "http://localhost", "returnSecureToken": true]
        if let pendingToken {
            body["pendingToken"] = .string(pendingToken)
        } else {
            body["postBody"] = .string(Self.postBody(token, at: provider))
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
            body: ByteBuffer(bytes: body))
        return try await loop.flatSubmit { broker.response(to: request, on: loop) }.get()
    }
}

struct ToolkitInstallationError: Error {}

extension JSONObject {
    func string(_ name: String) -> String? { self[name]?.text?.makeString() }

    /// The message of an error.
    var message: String? { self["error"]?.objectValue?.string("message") }
}

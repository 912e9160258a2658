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
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// A broker with the wire beside it, the mock Apple behind a real socket, another provider in memory, and one app.
struct AppleToolkit: Sendable {
    static let provider = "apple.com"
    static let otherProvider = "oidc.acme"
    static let bundleID = "com.example.shop"
    static let otherBundleID = "com.example.desk"
    static let rawNonce = "raw-nonce"
    /// Shares the address.
    static let ada = MockApple.Person.mock[0]
    /// Hides it.
    static let grace = MockApple.Person.mock[1]

    private static let teamID = "TEAM123456"
    private static let servicesID = "com.example.web"
    private static let apiKey = "ios-4f1c0000"
    private static let otherAudience = "app-at-provider"
    private static let publicURL = "https://auth.example.com/__/auth"

    /// What a test is about.
    struct Options: Sendable {
        /// The bundle IDs of the app.
        var audiences = [AppleToolkit.bundleID]
        /// Whether the broker has Apple's key, without which it only verifies.
        var hasKey = true
    }

    let apple: MockApple
    let service: AccountService
    let store = ModelAccountStore()
    let clock: TestClock
    private let acme: TestProvider
    private let broker: Broker
    private let developerKey: MockApple.DeveloperKey
    private let transport: AsyncHTTPClientTransport
    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()

    private struct Transport: ProviderTransport {
        let apple: AsyncHTTPClientTransport
        let acme: TestProvider

        func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
            request.url.origin == acme.issuer
                ? acme.execute(request, on: eventLoop) : apple.execute(request, on: eventLoop)
        }
    }

    // MARK: Start and stop

    /// Runs a body against all of it, then stops all of it.
    static func run(
        _ options: Options = Options(), _ body: (AppleToolkit) async throws -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let clock = TestClock()
        let key = MockApple.DeveloperKey.make(teamID: teamID)
        var registration = MockApple.Configuration(
            clients: [
                .servicesID(servicesID, teamID: teamID), .bundleID(bundleID, teamID: teamID),
                .bundleID(otherBundleID, teamID: teamID),
            ],
            developerKeys: [key])
        registration.signingAlgorithm = .es256
        registration.clock = clock
        let apple = try await MockApple.start(registration, on: group)
        let transport = AsyncHTTPClientTransport(eventLoopGroup: group)
        try await attempt {
            try await body(try AppleToolkit(options, apple, key, transport, clock))
        } finally: {
            try await transport.shutdown()
            try await apple.shutdown()
        }
    }

    private init(
        _ options: Options, _ apple: MockApple, _ key: MockApple.DeveloperKey, _ transport: AsyncHTTPClientTransport,
        _ clock: TestClock
    ) throws {
        self.apple = apple
        self.clock = clock
        self.transport = transport
        developerKey = key
        let acme = try TestProvider(
            issuer: "https://login.acme.example", client: .init(id: "broker", secret: "secret"), clock: clock)
        self.acme = acme
        let keys = try SigningKeys.generate()
        guard let origin = PublicURL("https://auth.example.com"),
            let tokens = AccountTokens(projectID: "acme-shop", issuer: Self.publicURL + "/accounts", keys: keys)
        else { throw ToolkitInstallationError() }
        let service = AccountService(store: store, policy: AccountPolicy(), tokens: tokens, clock: { clock.now() })
        self.service = service
        var audiences = options.audiences.map {
            SDKApp.NativeAudience(provider: Self.provider, audience: $0)
        }
        audiences.append(SDKApp.NativeAudience(provider: Self.otherProvider, audience: Self.otherAudience))
        let app = SDKApp(name: "shop", kind: .ios, apiKey: Self.apiKey, nativeAudiences: audiences)
        let sealingKey = [UInt8](repeating: 7, count: 32)
        let toolkit = try IdentityToolkit(
            service: service, apps: [app], publicURL: Self.publicURL,
            limits: IdentityToolkit.AccountLimits(limiter: TokenBucketLimiter(), elapsed: { clock.now() }))

        var provider = BrokerConfiguration.Provider.apple(
            clientID: options.hasKey ? Self.servicesID : "", teamID: options.hasKey ? key.teamID : nil,
            keyID: options.hasKey ? key.keyID : nil, privateKey: options.hasKey ? key.privateKey : nil)
        apple.takePlace(in: &provider)
        let other = BrokerConfiguration.Provider(
            name: "acme", issuer: acme.issuer, clientID: "broker", clientSecret: Secret("secret"))
        var desk = BrokerConfiguration.App(name: "desk", redirectURIs: ["https://desk.example/callback"])
        // Without a Services ID some app must have a bundle ID.
        desk.nativeAudiences = [.init(provider: Self.provider, audience: "com.example.other")]
        var configuration = BrokerConfiguration(
            publicURL: origin, providers: [provider, other], apps: [desk])
        configuration.sealingKeys = [Secret(Base64.encode(sealingKey))]
        configuration.signingKeys = [Secret(P256.Signing.PrivateKey().pemRepresentation)]
        broker = try Broker(
            configuration: configuration, transport: Transport(apple: transport, acme: acme),
            stores: .inMemory(InMemorySingleUseStore(clock: clock.elapsed, wallClock: clock)), clock: clock,
            elapsed: clock.elapsed,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, limits: BrokerLimits(),
            extensions: toolkit.extensions)
    }

    // MARK: The device

    /// What the system gives the app for a user.
    func credential(
        _ person: MockApple.Person = AppleToolkit.ada, bundleID: String = AppleToolkit.bundleID
    ) throws -> MockApple.NativeCredential {
        try apple.nativeCredential(bundleID: bundleID, rawNonce: Self.rawNonce, person: person)
    }

    /// The credential as the SDK for Apple's systems writes it, without any encoding.
    static func postBody(_ credential: MockApple.NativeCredential) -> String {
        let body = "providerId=apple.com&id_token=\(credential.idToken)&nonce=\(rawNonce)"
        return credential.user.map { body + "&user=" + $0 } ?? body
    }

    /// A credential of the other provider, as the SDK for JavaScript writes it.
    func otherPostBody(_ subject: String) throws -> String {
        let now = clock.now()
        let claims: JSONObject = [
            "iss": .string(acme.issuer), "sub": .string(subject), "aud": .string(Self.otherAudience),
            "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 300)),
            "nonce": .string(NoncePair(raw: Self.rawNonce).hashed),
        ]
        let token = try acme.key.sign(claims)
        return "&id_token=\(token)&providerId=\(Self.otherProvider)&nonce=\(Self.rawNonce)"
    }

    /// An access token of Apple, and an ID token with its hash, as a server of the app gets them for a code.
    func exchange(
        _ credential: MockApple.NativeCredential
    ) async throws -> (idToken: String, accessToken: String) {
        let key = try AppleKey(
            teamID: developerKey.teamID, keyID: developerKey.keyID, privateKey: developerKey.privateKey)
        let relyingParty = RelyingParty(
            configuration: apple.providerConfiguration(
                clientID: Self.servicesID, redirectURI: Self.publicURL + "/handler",
                clientSecret: apple.clientSecret(key)),
            transport: transport, clock: clock, elapsed: clock.elapsed)
        let response = try await loop.flatSubmit {
            relyingParty.exchangeNative(
                code: credential.authorizationCode, clientID: Self.bundleID, in: RequestScope(on: loop)
            ).future(on: loop)
        }.get()
        return (idToken: response.idToken, accessToken: try #require(response.accessToken))
    }

    // MARK: The wire

    /// A response.
    struct Answer: Sendable {
        let status: Int
        let body: [UInt8]
        let members: JSONObject

        /// The message of an error.
        var message: String? { members.message }
        /// Whether the response is the empty object.
        var isEmptyObject: Bool { status == 200 && body == Array("{}".utf8) }

        /// Whether it is an error of a code, with or without a detail.
        func isError(_ code: String) -> Bool {
            status == 400 && (message == code || message?.hasPrefix(code + " : ") == true)
        }
    }

    func post(_ path: String, _ body: JSONObject, bundleID: String? = AppleToolkit.bundleID) async throws -> Answer {
        var fields: HTTPFields = [:]
        if let bundleID { fields[.iOSBundleIdentifier] = bundleID }
        let request = BrokerRequest(
            head: HTTPRequest(
                method: .post, scheme: "https", authority: "auth.example.com", path: path + "?key=" + Self.apiKey,
                headerFields: fields),
            body: ByteBuffer(bytes: body.serialized()))
        let response = try await loop.flatSubmit { broker.response(to: request, on: loop) }.get()
        let bytes = Array(response.body.readableBytesView)
        let members = bytes.isEmpty ? JSONObject() : try WireSupport.object(bytes)
        return Answer(status: response.head.status.code, body: bytes, members: members)
    }

    func signIn(
        _ postBody: String, idToken: String? = nil, pendingToken: String? = nil
    ) async throws -> Answer {
        var body: JSONObject = [
            "requestUri": "http://localhost", "postBody": .string(postBody), "returnIdpCredential": true,
        ]
        if let idToken { body["idToken"] = .string(idToken) }
        if let pendingToken { body["pendingToken"] = .string(pendingToken) }
        return try await post("/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp", body)
    }

    /// The ID token of a new session.
    func session(of credential: MockApple.NativeCredential) async throws -> String {
        let answer = try await signIn(Self.postBody(credential))
        return try #require(answer.members.string("idToken"), "\(answer.message ?? "")")
    }

    /// Revokes as the SDK for Apple's systems does, which writes the type CODE as the text 3.
    func revoke(
        _ token: String, type: String = "3", idToken: String, at provider: String = AppleToolkit.provider,
        bundleID: String? = AppleToolkit.bundleID
    ) async throws -> Answer {
        try await post(
            "/identitytoolkit.googleapis.com/v2/accounts:revokeToken",
            [
                "providerId": .string(provider), "tokenType": .string(type), "token": .string(token),
                "idToken": .string(idToken),
            ], bundleID: bundleID)
    }

    func delete(idToken: String) async throws -> Answer {
        try await post("/identitytoolkit.googleapis.com/v1/accounts:delete", ["idToken": .string(idToken)])
    }

    /// What Apple was asked at a path, in the order of the requests.
    func asked(_ path: String) -> [OpenIDProvider.RecordedRequest] {
        apple.recordedRequests().filter { $0.path == path }
    }
}

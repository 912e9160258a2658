// SPDX-License-Identifier: Apache-2.0

import Crypto
import HTTPTypes
import JOSE
import JWTKit
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

/// A broker with two APIs. The app `shop` gets tokens for `orders` if it asks for none; `back` asks; `desk` has none.
struct ResourceSetup {
    static let orders = "https://api.example/orders"
    static let billing = "urn:example:billing"
    static let key = P256.Signing.PrivateKey().pemRepresentation

    let installation: Installation

    init(
        extensions: [any StubExtension] = [], signing: SigningQueue = SigningQueue(executor: InlineSigningExecutor()),
        configure: (inout BrokerConfiguration) throws -> Void = { _ in }
    ) throws {
        installation = try Installation(signing: signing, extensions: extensions) {
            var orders = BrokerConfiguration.Resource(name: "orders", identifier: Self.orders)
            orders.claims = ["email", "provider"]
            $0.resources = [orders, BrokerConfiguration.Resource(name: "billing", identifier: Self.billing)]
            $0.resourceSigningKeys = [Secret(Self.key)]
            $0.apps[0].resources = ["orders", "billing"]
            $0.apps[0].defaultResource = "orders"
            $0.apps[1].resources = ["billing", "orders"]
            try configure(&$0)
        }
    }

    /// Signs in, and returns the code.
    func code(_ app: AppClient) throws -> String {
        var browser = Browser(installation)
        return try #require(try browser.signIn(app)["code"])
    }

    /// Signs in, and returns the response to the redemption.
    /// - Parameter resource: The API that the token request names; `nil` for none.
    func tokens(_ app: AppClient, redeeming resource: String? = nil) throws -> BrokerResponse {
        try installation.token(app.tokenForm(try code(app)) + (resource.map { [("resource", $0)] } ?? []))
    }

    /// Signs in, and returns a token of the response.
    func token(_ name: String = "access_token", _ app: AppClient = .shop) throws -> String {
        try #require(try tokens(app).json()[name]?.text?.makeString())
    }

    /// The header and the claims of a token, which nothing verifies.
    static func parts(of token: String) throws -> (header: JSONObject, claims: JSONObject) {
        let parts = try token.split(separator: ".").prefix(2).map { part in
            let bytes = try #require(Base64URL.decode(String(part)))
            return try JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 16_384))
        }
        try #require(parts.count == 2)
        return (parts[0], parts[1])
    }

    /// The API that a token is for; `nil` if it is opaque.
    static func audience(of token: String) throws -> String? {
        guard token.contains(".") else { return nil }
        return try #require(try parts(of: token).claims["aud"]?.text?.makeString())
    }

    func userInfo(_ token: String) throws -> BrokerResponse {
        try installation.get("/__/auth/userinfo", fields: [.authorization: "Bearer \(token)"])
    }

    func revoke(_ form: [(String, String)]) throws -> BrokerResponse {
        var request = installation.tokenRequest(form)
        request.path = "/__/auth/revoke"
        return try installation.respond(request)
    }

    /// An API that verifies its tokens with the published keys.
    func api(_ identifier: String) throws -> StandInAPI {
        StandInAPI(
            identifier: identifier, keySet: try installation.get("/__/auth/jwks").text, now: installation.clock.now())
    }
}

/// An API that verifies access tokens as RFC 9068 section 4 has it, with jwt-kit.
struct StandInAPI {
    let identifier: String
    let keySet: String
    let now: Int64

    private struct Payload: JWTPayload {
        var iss: String
        var aud: String
        var exp: Int64

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    func accepts(_ token: String) async throws -> Bool {
        let collection = JWTKeyCollection()
        try await collection.add(jwksJSON: keySet)
        guard let payload = try? await collection.verify(token, as: Payload.self) else { return false }
        let type = try ResourceSetup.parts(of: token).header["typ"]?.text?.makeString()
        return type == "at+jwt" && payload.iss == Installation.issuer && payload.aud == identifier && payload.exp > now
    }
}

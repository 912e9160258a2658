// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Crypto
import Foundation
import JOSE
import JWTKit
import NIOCore
import NIOHTTP1
import Testing

/// The broker's ID token as jwt-kit reads it: an implementation that shares no code with the broker.
struct BrokerIDToken: JWTPayload {
    enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case subject = "sub"
        case audience = "aud"
        case expiry = "exp"
        case issuedAt = "iat"
        case nonce
        case accessTokenHash = "at_hash"
        case upstreamIssuer = "upstream_iss"
        case upstreamSubject = "upstream_sub"
        case provider
        case email
        case isEmailVerified = "email_verified"
        case name
    }

    var issuer: String
    var subject: String
    var audience: String
    var expiry: Int64
    var issuedAt: Int64
    var nonce: String?
    var accessTokenHash: String
    var upstreamIssuer: String
    var upstreamSubject: String
    var provider: String
    var email: String?
    var isEmailVerified: Bool?
    var name: String?

    /// Claims are validated by the tests, against their own clock.
    func verify(using algorithm: some JWTAlgorithm) async throws {}

    /// Verifies a token response as an app would that knows only the issuer: discovery document, key set, signature,
    /// hash of the access token.
    static func verified(
        _ response: AppClient.TokenResponseMembers, fetchedFrom issuer: String, with http: HTTPClient
    ) async throws -> BrokerIDToken {
        let text = try await body(of: issuer + "/.well-known/openid-configuration", with: http)
        let discovery = try JSONParser.object(Array(text.utf8), limits: JSONLimits(maximumBytes: 65_536))
        #expect(discovery["issuer"]?.text?.makeString() == issuer)
        let keys = JWTKeyCollection()
        try await keys.add(
            jwksJSON: try await body(of: try #require(discovery["jwks_uri"]?.text?.makeString()), with: http))

        let token = try #require(response["id_token"])
        let segments = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(segments.count == 3)
        let header = try JSONParser.object(
            try #require(Base64URL.decode(segments[0])), limits: JSONLimits(maximumBytes: 1024))
        let algorithms = discovery["id_token_signing_alg_values_supported"]?.arrayValue ?? []
        #expect(header["alg"]?.text?.makeString() == algorithms.first?.text?.makeString())
        let payload = try await keys.verify(token, as: BrokerIDToken.self)
        // Shows that the line above can fail.
        let payloadBytes = try #require(Base64URL.decode(segments[1]))
        let forged = [segments[0], Base64URL.encode(payloadBytes + [0x20]), segments[2]].joined(separator: ".")
        await #expect(throws: (any Error).self) { try await keys.verify(forged, as: BrokerIDToken.self) }

        let accessToken = try #require(response["access_token"])
        let half = Data(SHA256.hash(data: Data(accessToken.utf8)).prefix(16)).base64EncodedString()
        let expected = half.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        #expect(payload.accessTokenHash == expected)
        return payload
    }

    private static func body(of url: String, with http: HTTPClient) async throws -> String {
        let response = try await http.execute(HTTPClientRequest(url: url), timeout: .seconds(30))
        try #require(response.status.code == 200)
        return String(buffer: try await response.body.collect(upTo: 65_536))
    }
}

// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization

/// A provider without a socket, which is the broker's transport and responds at once.
final class ProviderStandIn: ProviderTransport {
    static let issuer = "https://accounts.example.com"
    static let clientID = "broker"

    private let key: SigningKey
    private let metadata: ByteBuffer
    private let keySet: ByteBuffer
    /// The response to the next token request.
    private let tokens = Mutex(ByteBuffer())
    /// The number of the next user. A store limits the unredeemed credentials of one user.
    private let nextPerson = Mutex(274_386_276_334)

    /// - Parameter endsSessions: Whether the metadata name an end session endpoint.
    init(endsSessions: Bool = false) throws {
        key = try SigningKey(pem: MicroKeys.provider, algorithm: .rs256)
        var document: JSONObject = [
            "issuer": .string(Self.issuer),
            "authorization_endpoint": .string(Self.issuer + "/authorize"),
            "token_endpoint": .string(Self.issuer + "/token"),
            "jwks_uri": .string(Self.issuer + "/jwks"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        ]
        if endsSessions { document["end_session_endpoint"] = .string(Self.issuer + "/logout") }
        metadata = ByteBuffer(bytes: document.serialized())
        let keys: JSONObject = ["keys": .array([.object(key.publicJWK)])]
        keySet = ByteBuffer(bytes: keys.serialized())
    }

    /// Signs a user in. The response to the next token request contains their ID token.
    ///
    /// - Parameter location: The authorization request.
    /// - Returns: The URL of the callback.
    func signIn(_ location: String) throws -> String {
        guard let mark = location.firstIndex(of: "?") else { throw MicroFailure("no authorization request") }
        let request = try FormURLEncoding.parse(location[location.index(after: mark)...].utf8)
        guard let state = try request.value("state"), let nonce = try request.value("nonce") else {
            throw MicroFailure("an authorization request without state or nonce")
        }
        let now = StillClock().now()
        let person = nextPerson.withLock { person in
            person += 1
            return person
        }
        let claims: JSONObject = [
            "iss": .string(Self.issuer), "aud": .string(Self.clientID), "sub": .string("110169484\(person)"),
            "email": "jane.doe@example.com", "email_verified": true, "name": "Jane Doe", "nonce": .text(nonce),
            "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 3600)),
        ]
        let response: JSONObject = [
            "access_token": "access-token-0123456789", "token_type": "Bearer", "expires_in": 3600,
            "id_token": .string(try key.sign(claims, type: "JWT")),
        ]
        tokens.withLock { $0 = ByteBuffer(bytes: response.serialized()) }
        return "/__/auth/handler?code=4-0AbUR2VMcLDwQxL1pd3Zy8tWm0n9KfXqY&state=\(state.makeString())"
    }

    func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        let body: ByteBuffer
        switch request.url.path {
        case "/token": body = tokens.withLock { $0 }
        case "/jwks": body = keySet
        default: body = metadata
        }
        return eventLoop.makeSucceededFuture(
            ProviderResponse(status: 200, contentType: "application/json", body: body))
    }
}

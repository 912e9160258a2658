// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// What the token endpoint answers instead of tokens (RFC 6749 section 5.2).
struct TokenRefusal: Error {
    let response: SentResponse

    /// The client did not prove itself. Always 401, always with a challenge (RFC 9110 section 15.5.2).
    static let invalidClient: TokenRefusal = {
        var response = SentResponse.error(
            "invalid_client", "the client is not known, or its proof is wrong", status: 401)
        response.headers.append(("www-authenticate", "Basic realm=\"token endpoint\""))
        return TokenRefusal(response: response)
    }()

    /// The request itself is not in order.
    static func invalidRequest(_ description: String) -> TokenRefusal {
        TokenRefusal(response: .error("invalid_request", description))
    }

    /// The code or refresh token is not good, or not for this client.
    static func invalidGrant(_ description: String) -> TokenRefusal {
        TokenRefusal(response: .error("invalid_grant", description))
    }
}

/// How a client names and proves itself at the token endpoint (RFC 6749 section 2.3).
struct ClientCredentials: Sendable {
    let method: ClientAuthenticationMethod
    let clientID: String
    let secret: String?

    /// Reads the credentials; doubled and contradictory ones are refused.
    init(authorization: String?, form: Parameters) throws(TokenRefusal) {
        let bodyID: String?
        let bodySecret: String?
        do {
            bodyID = try form.value("client_id")
            bodySecret = try form.value("client_secret")
        } catch { throw .invalidRequest("\(error)") }
        if let authorization {
            guard bodySecret == nil else { throw .invalidRequest("the client proves itself in two ways") }
            guard let (id, secret) = Self.basic(authorization) else { throw .invalidClient }
            guard bodyID == nil || bodyID == id else { throw .invalidRequest("client_id is another client's") }
            method = .clientSecretBasic
            clientID = id
            self.secret = secret
        } else {
            guard let bodyID else { throw .invalidClient }
            method = bodySecret == nil ? .none : .clientSecretPost
            clientID = bodyID
            secret = bodySecret
        }
    }

    /// The client, if it is known and the proof is right.
    func client(of clients: [OpenIDProvider.Client]) throws(TokenRefusal) -> OpenIDProvider.Client {
        guard let client = clients.first(where: { $0.id == clientID }),
            client.authentication == nil || client.authentication == method
        else { throw .invalidClient }
        switch (client.secret, secret) {
        case (nil, nil): return client
        case (let wanted?, let found?) where ConstantTime.equal(wanted, found): return client
        default: throw .invalidClient
        }
    }

    /// HTTP Basic, both parts form-encoded before base64 (RFC 6749 section 2.3.1).
    private static func basic(_ authorization: String) -> (id: String, secret: String)? {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let pair = Base64.decode(String(parts[1])),
            let colon = pair.firstIndex(of: UInt8(ascii: ":")),
            let id = try? FormURLEncoding.decode(pair[..<colon]),
            let secret = try? FormURLEncoding.decode(pair[(colon + 1)...])
        else { return nil }
        return (id, secret)
    }
}

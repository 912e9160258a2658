// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The credentials that a client presents to the provider (RFC 6749 section 2.3, RFC 7521 section 4.2, RFC 8705 section
/// 2).
struct PresentedCredentials: Sendable {
    /// The authentication of a request, which has not been verified yet.
    enum Proof: Sendable {
        /// None: a public client, or one that authenticates by its certificate.
        case none
        /// The secret in an HTTP Basic header.
        case basic(String)
        /// The secret in the form.
        case post(String)
        /// A signed assertion.
        case assertion(String)
    }

    let clientID: String
    let proof: Proof

    /// Reads the credentials. Duplicate and contradictory ones are refused.
    init(_ request: ReceivedRequest, _ form: Parameters) throws(TokenRefusal) {
        let named = try ProviderState.parameter("client_id", of: form)
        let secret = try ProviderState.parameter("client_secret", of: form)
        let assertion = try ProviderState.parameter("client_assertion", of: form)
        let assertionType = try ProviderState.parameter("client_assertion_type", of: form)
        let headers = request.headers.filter { $0.name == "authorization" }
        guard headers.count + (secret == nil ? 0 : 1) + (assertion == nil ? 0 : 1) <= 1 else {
            throw .invalidRequest("the client uses two authentication methods")
        }
        if let header = headers.first?.value {
            guard let (id, secret) = Self.basic(header) else {
                throw .invalidClient("the Authorization header is not Basic with form-encoded id and secret")
            }
            guard named?.hasSameBytes(as: id) ?? true else { throw .invalidRequest("client_id is another client's") }
            clientID = id
            proof = .basic(secret)
        } else if let assertion {
            guard assertionType == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" else {
                throw .invalidRequest("client_assertion_type is not that of a JWT")
            }
            guard let subject = Self.subject(of: assertion) else {
                throw .invalidClient("the client assertion has no 'sub'")
            }
            guard named?.hasSameBytes(as: subject) ?? true else {
                throw .invalidRequest("client_id is another client's")
            }
            clientID = subject
            proof = .assertion(assertion)
        } else {
            guard let named else { throw .invalidClient("the client does not name itself") }
            clientID = named
            proof = secret.map { Proof.post($0) } ?? Proof.none
        }
    }

    /// Reads HTTP Basic credentials. Both parts are form-encoded before base64 (RFC 6749 section 2.3.1).
    private static func basic(_ authorization: String) -> (id: String, secret: String)? {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let pair = Base64.decode(String(parts[1])),
            let colon = pair.firstIndex(of: UInt8(ascii: ":")),
            let id = try? FormURLEncoding.decode(pair[..<colon]),
            let secret = try? FormURLEncoding.decode(pair[(colon + 1)...])
        else { return nil }
        return (id.makeString(), secret.makeString())
    }

    /// Returns the subject that an unverified assertion names.
    private static func subject(of assertion: String) -> String? {
        let segments = assertion.split(separator: ".", omittingEmptySubsequences: false)
        guard segments.count == 3, let payload = Base64URL.decode(segments[1].utf8),
            let claims = try? JSONParser.object(payload, limits: JSONLimits(maximumBytes: 16384))
        else { return nil }
        return claims["sub"]?.text?.makeString()
    }
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OpenIDConnect
import Signing

/// The documents with which any server verifies the ID tokens of accounts: the metadata of their issuer (OpenID Connect
/// Discovery 1.0 section 3), the keys as a JWK set (RFC 7517 section 5), and the same keys as certificates. Session cookies
/// have the same documents of their own at another place. They are made once, since the keys do not change while the server
/// runs.
struct AccountDocuments: Sendable {
    /// How long caches may keep a document, in seconds: six hours. A new key must be published as long before it signs.
    static let maximumAge = 21_600

    private struct Document: Sendable {
        let path: String
        let content: PublicDocument

        init(path: String, body: ByteBuffer) {
            self.path = path
            content = PublicDocument(body)
        }
    }

    private let all: [Document]

    /// Makes the documents of a project.
    ///
    /// The metadata is left out if the issuer is configured to be a URL other than that of these documents: a verifier
    /// looks for the metadata at the issuer's own URL, and refuses metadata with another issuer.
    /// - Parameters:
    ///   - tokens: What makes the ID tokens.
    ///   - cookies: What makes session cookies; `nil` if they are not offered.
    ///   - publicURL: The URL of the broker: its origin and the prefix of its paths, without a slash at the end.
    /// - Throws: ``AccountDocumentsError``, ``CertificateKeyError``, or an error of the X.509 library.
    init(of tokens: AccountTokens, _ cookies: SessionCookies? = nil, publicURL: String) throws {
        guard let url = AbsoluteURL(publicURL), url.query == nil, url.path.utf8.last != UInt8(ascii: "/") else {
            throw AccountDocumentsError.invalidPublicURL
        }
        func documents(_ keys: SigningKeys, of issuer: String, at end: String) throws -> [Document] {
            let base = url.path + "/accounts" + end
            let certificates = try CertificateMap(keys)
            let documents = [
                Document(path: base + "/jwks", body: ByteBuffer(string: keys.jwks)),
                Document(path: base + "/x509", body: ByteBuffer(bytes: certificates.json)),
            ]
            guard issuer.hasSameBytes(as: publicURL + "/accounts" + end) else { return documents }
            let discovery = ByteBuffer(bytes: Self.discovery(issuer: issuer, keys: keys))
            return documents + [Document(path: base + "/.well-known/openid-configuration", body: discovery)]
        }
        var all = try documents(tokens.keys, of: tokens.issuer, at: "")
        if let cookies { all += try documents(cookies.keys, of: cookies.issuer, at: "/session") }
        self.all = all
    }

    /// Finds a document by the bytes of its path. Nearly all paths differ in their length from each of these.
    /// - Returns: What responds to a request; `nil` if there is none at the path.
    func document(at path: String) -> (@Sendable (BrokerRequest) -> BrokerResponse)? {
        guard let document = all.first(where: { path.hasSameBytes(as: $0.path) }) else { return nil }
        return { .publicDocument(document.content, maximumAge: Self.maximumAge, to: $0) }
    }

    /// There is no authorization endpoint, since the wire of the SDKs is none.
    private static func discovery(issuer: String, keys: SigningKeys) -> [UInt8] {
        var algorithms: [String] = []
        for key in keys.all where !algorithms.contains(key.algorithm.rawValue) {
            algorithms.append(key.algorithm.rawValue)
        }
        let document: JSONObject = [
            "issuer": .string(issuer),
            "jwks_uri": .string(issuer + "/jwks"),
            "response_types_supported": ["id_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": .array(algorithms.map { .string($0) }),
            "claims_supported": [
                "iss", "sub", "aud", "exp", "iat", "auth_time", "sid", "user_id", "email", "email_verified", "name",
                "picture", "firebase",
            ],
        ]
        return document.serialized()
    }
}

/// Why there are no documents.
enum AccountDocumentsError: Error, Sendable, Hashable {
    /// The URL of the broker is not an http or https URL, or has a query or a slash at its end.
    case invalidPublicURL
}

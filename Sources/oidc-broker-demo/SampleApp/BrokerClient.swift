// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import JOSE
import NIOCore
import NIOHTTP1
import NIOSSL
import OpenIDConnect

/// The sample app's OAuth client for the broker: a public client with PKCE.
struct BrokerClient: Sendable {
    /// The broker's issuer.
    let issuer: String
    /// The app's client ID.
    let clientID: String

    /// The maximum length of a response, in bytes.
    static let maximumBytes = 262_144
    private static let timeout = TimeAmount.seconds(10)

    private let redirectURI: String
    private let http: HTTPClient

    /// Creates a client, which must be stopped.
    ///
    /// - Parameters:
    ///   - issuer: The broker's issuer.
    ///   - clientID: The app's client ID.
    ///   - redirectURI: The app's redirect URI.
    ///   - certificatePEM: The only trust root.
    ///   - group: The event loops.
    /// - Throws: An error of NIOSSL if the certificate cannot be read.
    init(
        issuer: String, clientID: String, redirectURI: String, certificatePEM: String, group: any EventLoopGroup
    ) throws {
        self.issuer = issuer
        self.clientID = clientID
        self.redirectURI = redirectURI
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(certificatePEM.utf8)))
        http = HTTPClient(
            eventLoopGroupProvider: .shared(group),
            configuration: HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow))
    }

    /// Returns the authorization URL (RFC 6749 section 4.1.1, RFC 7636 section 4.3).
    func authorizationURL(_ attempt: SignInAttempt) -> String {
        let query = FormURLEncoding.encode([
            ("response_type", "code"),
            ("client_id", clientID),
            ("redirect_uri", redirectURI),
            ("scope", "openid email profile"),
            ("state", attempt.state),
            ("nonce", attempt.nonce),
            ("code_challenge", attempt.verifier.challenge),
            ("code_challenge_method", "S256"),
        ])
        return "\(issuer)/authorize?\(query)"
    }

    /// Redeems a code (RFC 6749 section 4.1.3).
    ///
    /// - Returns: The members of the token response.
    func redeem(_ code: String, verifier: CodeVerifier) async throws(BrokerClientError) -> JSONObject {
        let (status, body) = try await send(tokenRequest(code, verifier))
        guard status == .ok else { throw .refused(status: Int(status.code)) }
        return try Self.object(body)
    }

    /// Returns whether the broker refuses a code with `invalid_grant`, as it must refuse a used one.
    func refuses(_ code: String, verifier: CodeVerifier) async -> Bool {
        guard let (status, body) = try? await send(tokenRequest(code, verifier)), status == .badRequest else {
            return false
        }
        return (try? Self.object(body))?["error"]?.text?.makeString() == "invalid_grant"
    }

    /// Fetches the broker's key set.
    func keySet() async throws(BrokerClientError) -> KeySet {
        let (status, body) = try await send(HTTPClientRequest(url: issuer + "/jwks"))
        guard status == .ok else { throw .refused(status: Int(status.code)) }
        guard let keys = try? KeySet(json: body) else { throw .unreadable }
        return keys
    }

    /// Closes all connections.
    func stop() async {
        try? await http.shutdown()
    }

    private func tokenRequest(_ code: String, _ verifier: CodeVerifier) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: issuer + "/token")
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        let form = FormURLEncoding.encode([
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", redirectURI),
            ("client_id", clientID),
            ("code_verifier", verifier.value),
        ])
        request.body = .bytes(ByteBuffer(string: form))
        return request
    }

    /// Sends a request to the broker.
    func send(
        _ request: HTTPClientRequest
    ) async throws(BrokerClientError) -> (HTTPResponseStatus, [UInt8]) {
        do {
            let response = try await http.execute(request, timeout: Self.timeout)
            let body = try await response.body.collect(upTo: Self.maximumBytes)
            return (response.status, Array(body.readableBytesView))
        } catch {
            throw .unreachable
        }
    }

    private static func object(_ body: [UInt8]) throws(BrokerClientError) -> JSONObject {
        guard let object = try? JSONParser.object(body, limits: JSONLimits(maximumBytes: maximumBytes)) else {
            throw .unreadable
        }
        return object
    }
}

/// The reason why a request of the sample app to the broker failed.
enum BrokerClientError: Error, Hashable, CustomStringConvertible {
    /// There was no response.
    case unreachable
    /// The response was an error.
    case refused(status: Int)
    /// The response could not be read.
    case unreadable

    var description: String {
        switch self {
        case .unreachable: "The broker could not be reached."
        case .refused(let status): "The broker refused the request with status \(status)."
        case .unreadable: "The broker's response could not be read."
        }
    }
}

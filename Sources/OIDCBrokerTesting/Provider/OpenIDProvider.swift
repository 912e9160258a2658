// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore

/// An OpenID Provider in this process, over a listener of its own: honest by default, with one named ``Misbehavior``
/// where a test asks for it.
///
/// It is the demo's development provider, on whose pages a person signs in, and the tests' misbehaving provider. It
/// speaks the response types `code`, `code id_token` and `id_token`, the response modes `query`, `form_post` and
/// `fragment`, PKCE, all client authentications of OpenID Connect and of RFC 8705, pushed authorization requests,
/// UserInfo, refresh and revocation. It keeps no session: everybody signs in anew, so that `prompt=none` always ends in
/// `login_required`.
///
/// It is strict: what the conformance suite checks of every client it checks too, refuses what is wrong, and remembers
/// it in ``violations()``.
///
/// | path | what it is |
/// | --- | --- |
/// | `GET /.well-known/openid-configuration` | metadata |
/// | `GET /jwks` | key set |
/// | `POST /par` | pushed authorization requests |
/// | `GET`, `POST /authorize` | authorization endpoint; its pages post back to it |
/// | `POST /token` | token endpoint |
/// | `GET`, `POST /userinfo` | UserInfo endpoint |
/// | `POST /revoke` | revocation endpoint |
///
/// A program gets through the pages without reading them by one `POST /authorize` with the form fields
/// `authorization_request` (the query it would have sent by GET), `email`, `password` and `decision` (`allow` or
/// `deny`).
public final class OpenIDProvider: Sendable {
    /// The issuer: scheme, host and port, no path and no slash at the end.
    public let issuer: String
    /// The port the provider listens on.
    public let port: Int

    private let responder: ProviderResponder
    private let listeners: [ProviderListener]

    private init(issuer: String, port: Int, responder: ProviderResponder, listeners: [ProviderListener]) {
        self.issuer = issuer
        self.port = port
        self.responder = responder
        self.listeners = listeners
    }

    /// Makes a signing key, binds the listener and answers requests from then on.
    ///
    /// - Parameters:
    ///   - configuration: what the provider is like.
    ///   - group: the event loops it runs on; they outlive it.
    /// - Throws: ``OpenIDProviderError``, or an error of the listener, of TLS or of key generation.
    public static func start(
        _ configuration: Configuration,
        on group: any EventLoopGroup
    ) async throws -> OpenIDProvider {
        if case .automatic = configuration.interaction, configuration.automaticPerson == nil {
            throw OpenIDProviderError.noSuchPerson
        }
        guard !configuration.offersMutualTLS || configuration.certificate != nil else {
            throw OpenIDProviderError.noCertificate
        }
        let responder = ProviderResponder(
            ProviderState(
                configuration: configuration,
                keys: try ProviderKeys(
                    configuration.signingAlgorithm.algorithm, isShared: configuration.sharesKeys)))
        var listeners: [ProviderListener] = []
        do {
            let listener = try await ProviderListener.bind(
                host: configuration.host, port: configuration.port, certificate: configuration.certificate,
                responder: responder, on: group)
            listeners.append(listener)
            // The issuer has the port in it: it is known now, and nothing was accepted yet.
            let issuer = origin(configuration, port: listener.port)
            responder.update { $0.issuer = issuer }
            if configuration.offersMutualTLS {
                let mutual = try await ProviderListener.bind(
                    host: configuration.host, port: 0, certificate: configuration.certificate, for: .mutualTLS,
                    responder: responder, on: group)
                listeners.append(mutual)
                let origin = origin(configuration, port: mutual.port)
                responder.update { $0.mutualTLSOrigin = origin }
            }
            for listener in listeners { try await listener.accept() }
            return OpenIDProvider(issuer: issuer, port: listener.port, responder: responder, listeners: listeners)
        } catch {
            for listener in listeners { await listener.close() }
            throw error
        }
    }

    private static func origin(_ configuration: Configuration, port: Int) -> String {
        let host = configuration.issuerHost ?? configuration.host
        let scheme = configuration.certificate == nil ? "http" : "https"
        return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// Chooses what the provider does wrong from the next request on.
    public func set(_ misbehavior: Misbehavior) {
        responder.update { $0.misbehavior = misbehavior }
    }

    /// Replaces the signing key. The key set has the new key only, as if the old one had been withdrawn.
    /// `oidcc-client-test-signing-key-rotation`.
    ///
    /// - Throws: an error of key generation.
    public func rotateKeys() throws {
        try responder.update { state throws in try state.keys.rotate() }
    }

    /// Registers one more redirect URI, for a client whose port is known only after the provider has started.
    ///
    /// - Returns: false where there is no such client; nothing is registered then.
    @discardableResult
    public func allow(redirectURI: String, forClient clientID: String) -> Bool {
        responder.update { state in
            guard let index = state.configuration.clients.firstIndex(where: { $0.id == clientID }) else {
                return false
            }
            state.configuration.clients[index].redirectURIs.append(redirectURI)
            return true
        }
    }

    /// The requests that arrived since the start or the last ``resetRecordedRequests()``, the oldest first; the last
    /// 10,000 at least.
    public func recordedRequests() -> [RecordedRequest] {
        responder.update { $0.recorded }
    }

    /// Forgets the requests so far.
    public func resetRecordedRequests() {
        responder.update { $0.recorded.removeAll() }
    }

    /// What clients did since the start that the protocol, or their registration, does not allow: each with method and
    /// path and what was wrong, never with a secret; the first 1,000. A test of a client expects none.
    ///
    /// What is checked of every client: `scope` has `openid`; `redirect_uri` is registered, byte for byte, and the same
    /// at the token endpoint; the response type is one of the client's; PKCE by S256 wherever there is a code; `nonce`
    /// wherever an ID token comes through the browser; the client proves itself in its registered way, and in no other;
    /// an assertion is signed by the client, for this issuer alone, short-lived and used once; a certificate is the
    /// registered one; tokens and secrets never stand in a query; codes and refresh tokens are used once; no parameter
    /// stands there twice; no path is asked for that the metadata does not name.
    public func violations() -> [String] {
        responder.update { $0.violations }
    }

    /// Stops listening and closes every connection. Returns when the last one is closed; more calls do nothing.
    public func shutdown() async throws {
        for listener in listeners { await listener.close() }
    }
}

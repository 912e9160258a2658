// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// An OpenID Provider in this process, with a listener of its own. It follows the standards, except for a selected
/// ``Misbehavior``.
///
/// It serves as the development provider of the demo, on whose pages a user signs in, and as the misbehaving provider
/// of the tests. It supports the response types `code`, `code id_token` and `id_token`, the response modes `query`,
/// `form_post` and `fragment`, signed responses (JARM) in each of them, PKCE, all client authentication methods of
/// OpenID Connect and of RFC 8705, pushed authorization requests, signed request objects, access tokens that are bound
/// to a certificate or by DPoP, UserInfo, refresh and revocation. Each sign-in is a new one, and `prompt=none` ends in
/// `login_required`, unless it keeps sessions (``Configuration/keepsSessions``).
///
/// It is strict: it performs the conformance suite's checks of clients, refuses invalid requests, and records them in
/// ``violations()``.
///
/// | path | endpoint |
/// | --- | --- |
/// | `GET /.well-known/openid-configuration` | metadata |
/// | `GET /jwks` | key set |
/// | `POST /par` | pushed authorization requests |
/// | `GET`, `POST /authorize` | authorization endpoint; its pages post back to it |
/// | `POST /token` | token endpoint |
/// | `GET`, `POST /userinfo` | UserInfo endpoint |
/// | `POST /revoke` | revocation endpoint |
///
/// A program completes the pages with a single `POST /authorize` with the form fields `authorization_request` (the
/// query of the GET request), `email`, `password` and `decision` (`allow` or `deny`).
public final class OpenIDProvider: Sendable {
    /// The issuer: scheme, host and port, without a path and a trailing slash.
    public let issuer: String
    /// The port of the listener.
    public let port: Int

    /// The scheme, host and port by which servers reach it; `nil` without ``Configuration/hasInnerName``.
    package let innerOrigin: String?

    let engine: ProviderEngine<ProviderState>
    private let listeners: [ProviderListener]

    private init(
        issuer: String, innerOrigin: String?, port: Int, engine: ProviderEngine<ProviderState>,
        listeners: [ProviderListener]
    ) {
        self.issuer = issuer
        self.innerOrigin = innerOrigin
        self.port = port
        self.engine = engine
        self.listeners = listeners
    }

    /// Generates a signing key, binds the listener and begins to respond to requests.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the provider.
    ///   - group: The event loops it runs on, which must outlive it.
    /// - Throws: ``OpenIDProviderError``, or an error of the listener, of TLS or of key generation.
    public static func start(
        _ configuration: Configuration,
        on group: any EventLoopGroup
    ) async throws -> OpenIDProvider {
        guard !configuration.offersMutualTLS || configuration.certificate != nil else {
            throw OpenIDProviderError.noCertificate
        }
        let engine = ProviderEngine(
            ProviderState(
                configuration: configuration,
                keys: try ProviderKeys(
                    configuration.signingAlgorithm.algorithm, isShared: configuration.sharesKeys)))
        var listeners: [ProviderListener] = []
        do {
            let (listener, issuer) = try await engine.listen(on: group)
            listeners.append(listener)
            if configuration.offersMutualTLS {
                let mutual = try await ProviderListener.bind(
                    host: configuration.host, port: 0, certificate: configuration.certificate, for: .mutualTLS,
                    responder: engine, on: group)
                listeners.append(mutual)
                let origin = configuration.common.origin(port: mutual.port)
                engine.update { $0.mutualTLSOrigin = origin }
            }
            var innerOrigin: String?
            if configuration.hasInnerName {
                let inner = try await ProviderListener.bind(
                    host: configuration.host, port: 0, certificate: nil, responder: engine, on: group)
                listeners.append(inner)
                var settings = configuration.common
                settings.certificate = nil
                settings.issuerHost = nil
                let origin = settings.origin(port: inner.port)
                engine.update { $0.innerOrigin = origin }
                innerOrigin = origin
            }
            for listener in listeners { try await listener.accept() }
            return OpenIDProvider(
                issuer: issuer, innerOrigin: innerOrigin, port: listener.port, engine: engine, listeners: listeners)
        } catch {
            for listener in listeners { await listener.close() }
            throw error
        }
    }

    /// Selects the misbehavior from the next request on.
    public func set(_ misbehavior: Misbehavior) {
        engine.update { $0.settings.misbehavior = misbehavior }
    }

    /// Replaces the signing key. The key set contains only the new key, as if the old one had been withdrawn.
    /// `oidcc-client-test-signing-key-rotation`.
    ///
    /// - Throws: An error of key generation.
    public func rotateKeys() throws {
        try engine.update { state throws in try state.keys.rotate() }
    }

    /// Demands another nonce in DPoP proofs from the next request on (RFC 9449 section 8); `nil` for none.
    public func demandDPoPNonce(_ nonce: String?) {
        engine.update { $0.dpopNonce = nonce }
    }

    /// Registers another redirect URI, for a client whose port is known only after the start.
    ///
    /// - Returns: `false` if there is no such client, in which case nothing is registered.
    @discardableResult
    public func allow(redirectURI: String, forClient clientID: String) -> Bool {
        engine.update { state in
            guard let index = state.configuration.clients.firstIndex(where: { $0.id == clientID }) else {
                return false
            }
            state.configuration.clients[index].redirectURIs.append(redirectURI)
            return true
        }
    }

    /// Returns the requests since the start or the last ``resetRecordedRequests()``, oldest first; at least the last
    /// 10,000.
    public func recordedRequests() -> [RecordedRequest] {
        engine.update { $0.recorded }
    }

    /// Removes the recorded requests.
    public func resetRecordedRequests() {
        engine.update { $0.recorded.removeAll() }
    }

    /// Returns the violations of the protocol, or of their registration, by clients since the start: each with the
    /// method, the path and the reason, without secrets; the first 1,000. A test of a client expects none.
    ///
    /// The following is checked for every client: `scope` contains `openid`; `redirect_uri` is registered, byte for
    /// byte, and is the same at the token endpoint; the response type is one of the client's; PKCE with S256 is used
    /// whenever there is a code, and `nonce` whenever an ID token comes through the browser; the client uses its
    /// registered authentication method; an assertion is signed by the client, has only this issuer as its audience, is
    /// short-lived and used once; a request object is signed by the client, has only this issuer as its audience, is
    /// short-lived, and is alone but for what must be beside it; a certificate is the registered one; a DPoP proof is valid, for this request and used once; there are no tokens and secrets in a query;
    /// codes and refresh tokens are used once; parameters are not duplicate; only paths in the metadata are requested.
    public func violations() -> [String] {
        engine.update { $0.violations }
    }

    /// Stops listening and closes all connections. Returns when the last one is closed. Further calls do nothing.
    public func shutdown() async throws {
        for listener in listeners { await listener.close() }
    }
}

// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore

/// An OpenID Provider in this process, over a listener of its own: honest by default, with one named ``Misbehaviour``
/// where a test asks for it.
///
/// It is the demo's development provider, on whose pages a person signs in, and the tests' misbehaving provider. It
/// speaks the authorization code flow with PKCE, the response modes `query` and `form_post`, and UserInfo. It keeps no
/// session: everybody signs in anew, so that `prompt=none` always ends in `login_required`.
///
/// | path | what it is |
/// | --- | --- |
/// | `GET /.well-known/openid-configuration` | metadata |
/// | `GET /jwks` | key set |
/// | `GET`, `POST /authorize` | authorization endpoint; its pages post back to it |
/// | `POST /token` | token endpoint |
/// | `GET`, `POST /userinfo` | UserInfo endpoint |
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
    private let listener: ProviderListener

    private init(issuer: String, port: Int, responder: ProviderResponder, listener: ProviderListener) {
        self.issuer = issuer
        self.port = port
        self.responder = responder
        self.listener = listener
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
        let responder = ProviderResponder(
            ProviderState(
                configuration: configuration,
                keys: try ProviderKeys(configuration.signingAlgorithm.algorithm)))
        let listener = try await ProviderListener.bind(configuration, responder: responder, on: group)
        do {
            // The issuer has the port in it: it is known now, and nothing was accepted yet.
            let issuer = issuer(configuration, port: listener.port)
            responder.update { $0.issuer = issuer }
            try await listener.accept()
            return OpenIDProvider(issuer: issuer, port: listener.port, responder: responder, listener: listener)
        } catch {
            await listener.close()
            throw error
        }
    }

    private static func issuer(_ configuration: Configuration, port: Int) -> String {
        let host = configuration.issuerHost ?? configuration.host
        let scheme = configuration.certificate == nil ? "http" : "https"
        return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// Chooses what the provider does wrong from the next request on.
    public func set(_ misbehaviour: Misbehaviour) {
        responder.update { $0.misbehaviour = misbehaviour }
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

    /// Stops listening and closes every connection. Returns when the last one is closed; more calls do nothing.
    public func shutdown() async throws {
        await listener.close()
    }
}

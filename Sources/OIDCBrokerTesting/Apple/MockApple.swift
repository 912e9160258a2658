// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore

/// An Apple in this process, over a listener of its own: Sign in with Apple as Apple's documentation and what is seen
/// of Apple describe it, with made-up people. Honest unless a ``Misbehavior`` is named.
///
/// It is as strict as Apple where products fail: a client secret must be a JWT of a registered key with Apple's claims
/// and no longer than six months; `name` and `email` are given by `form_post` alone; `user` comes at the first consent
/// only, and again after a revocation; a native app's code has no redirect URI; subjects are another for each team.
///
/// | path | what it is |
/// | --- | --- |
/// | `GET /.well-known/openid-configuration` | metadata |
/// | `GET /auth/keys` | key set |
/// | `GET`, `POST /auth/authorize` | authorization endpoint; its pages post back to it |
/// | `POST /auth/token` | codes, refresh tokens, and access tokens for migration |
/// | `POST /auth/revoke` | revocation: an empty 200 |
/// | `POST /auth/usermigrationinfo` | transfer of people between teams |
///
/// A program gets through the pages without reading them by one `POST /auth/authorize` with the form fields
/// `authorization_request` (the query it would have sent by GET), `email`, `password` and `decision` (`allow` or
/// `deny`); at a first consent `given_name`, `family_name` and `email_choice` (`share` or `hide`) are read too.
public final class MockApple: Sendable {
    /// The issuer: scheme, host and port, no path and no slash at the end.
    public let issuer: String
    /// The port it listens on.
    public let port: Int
    /// The certificate authority of its listener, PEM; `nil` if it speaks plain http.
    public let certificatePEM: String?

    let responder: AppleResponder
    let group: any EventLoopGroup
    private let listener: ProviderListener

    private init(
        issuer: String,
        certificatePEM: String?,
        responder: AppleResponder,
        listener: ProviderListener,
        group: any EventLoopGroup
    ) {
        self.issuer = issuer
        self.certificatePEM = certificatePEM
        self.responder = responder
        self.listener = listener
        self.group = group
        port = listener.port
    }

    /// Makes a signing key, binds the listener and answers requests from then on.
    ///
    /// - Parameters:
    ///   - configuration: what it is like.
    ///   - group: the event loops it runs on; they outlive it.
    /// - Throws: ``OpenIDProviderError``, or an error of the listener, of TLS or of key generation.
    public static func start(_ configuration: Configuration, on group: any EventLoopGroup) async throws -> MockApple {
        if case .automatic = configuration.interaction, configuration.automaticPerson == nil {
            throw OpenIDProviderError.noSuchPerson
        }
        let key = try SigningKey.generate(configuration.signingAlgorithm.algorithm)
        let responder = AppleResponder(try AppleState(configuration: configuration, key: key))
        let listener = try await ProviderListener.bind(
            host: configuration.host, port: configuration.port, certificate: configuration.certificate,
            responder: responder, on: group)
        do {
            // The issuer has the port in it: it is known now, and nothing was accepted yet.
            let host = configuration.issuerHost ?? configuration.host
            let scheme = configuration.certificate == nil ? "http" : "https"
            let issuer = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(listener.port)"
            responder.update { $0.issuer = issuer }
            try await listener.accept()
            return MockApple(
                issuer: issuer, certificatePEM: configuration.certificate?.certificatePEM, responder: responder,
                listener: listener, group: group)
        } catch {
            await listener.close()
            throw error
        }
    }

    /// Chooses what it does wrong from the next request on.
    public func set(_ misbehavior: Misbehavior) {
        responder.update { $0.misbehavior = misbehavior }
    }

    /// Replaces its own signing key; the old one is withdrawn at once.
    ///
    /// - Throws: an error of key generation.
    public func rotateKeys() throws {
        let algorithm = responder.update { $0.key.algorithm }
        let key = try SigningKey.generate(algorithm)
        responder.update { $0.key = key }
    }

    /// Registers one more developer key.
    ///
    /// - Throws: an error where the key cannot be used.
    public func register(_ key: DeveloperKey) throws {
        let registered = try RegisteredKey(key)
        responder.update { $0.developerKeys.append(registered) }
    }

    /// Revokes a developer key: client secrets made with it are `invalid_client` from now on.
    public func withdraw(keyID: String) {
        responder.update { state in state.developerKeys.removeAll { $0.keyID.hasSameBytes(as: keyID) } }
    }

    /// Registers one more callback URL, for a client whose port is known only after the start.
    ///
    /// - Returns: false where there is no such Services ID; nothing is registered then.
    @discardableResult
    public func allow(redirectURI: String, forClient clientID: String) -> Bool {
        responder.update { state in
            guard let index = state.configuration.clients.firstIndex(where: { $0.id.hasSameBytes(as: clientID) }),
                state.configuration.clients[index].redirectURIs != nil
            else { return false }
            state.configuration.clients[index].redirectURIs?.append(redirectURI)
            return true
        }
    }

    /// Hands an app over to another team: subjects are the new team's from now on, and ID tokens carry `transfer_sub`.
    ///
    /// - Returns: false where there is no such client.
    @discardableResult
    public func transfer(client clientID: String, toTeam teamID: String) -> Bool {
        responder.update { state in
            guard let index = state.configuration.clients.firstIndex(where: { $0.id.hasSameBytes(as: clientID) })
            else { return false }
            state.previousTeams[clientID] = state.configuration.clients[index].teamID
            state.configuration.clients[index].teamID = teamID
            return true
        }
    }

    /// What was done so far.
    public func counts() -> Counts {
        responder.update { $0.counts }
    }

    /// Why client secrets were refused, the oldest first: Apple itself says `invalid_client` and nothing more.
    public func clientSecretRefusals() -> [String] {
        responder.update { $0.clientSecretRefusals }
    }

    /// The requests that arrived since the start or the last ``resetRecordedRequests()``, the oldest first; the last
    /// 10,000 at least.
    public func recordedRequests() -> [OpenIDProvider.RecordedRequest] {
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

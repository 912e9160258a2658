// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore
import OIDCBrokerTesting

/// A mock of Sign in with Apple in this process, with a listener of its own and fictitious people. It follows Apple's
/// documentation and observed behavior, except for a selected ``Misbehavior``.
///
/// It is as strict as Apple: a client secret must be a JWT by a registered key with Apple's claims and a lifetime of at
/// most six months; `name` and `email` require `form_post`; `user` is sent only at the first consent, and again after a
/// revocation; the code of a native app has no redirect URI; subjects differ for each team.
///
/// | path | endpoint |
/// | --- | --- |
/// | `GET /.well-known/openid-configuration` | metadata |
/// | `GET /auth/keys` | key set |
/// | `GET`, `POST /auth/authorize` | authorization endpoint; its pages post back to it |
/// | `POST /auth/token` | codes, refresh tokens, and access tokens for migration |
/// | `POST /auth/revoke` | revocation: an empty 200 |
/// | `POST /auth/usermigrationinfo` | transfer of people between teams |
///
/// A program completes the pages with a single `POST /auth/authorize` with the form fields `authorization_request` (the
/// query of the GET request), `email`, `password` and `decision` (`allow` or `deny`). At a first consent, `given_name`,
/// `family_name` and `email_choice` (`share` or `hide`) are read too.
public final class MockApple: Sendable {
    /// The issuer: scheme, host and port, without a path and a trailing slash.
    public let issuer: String
    /// The port of the listener.
    public let port: Int
    /// The PEM of the listener's certificate authority; `nil` if it uses plain http.
    public let certificatePEM: String?

    let responder: StateResponder<AppleState>
    let group: any EventLoopGroup
    private let listener: ProviderListener

    private init(
        issuer: String,
        certificatePEM: String?,
        responder: StateResponder<AppleState>,
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

    /// Generates a signing key, binds the listener and begins to respond to requests.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the mock.
    ///   - group: The event loops it runs on, which must outlive it.
    /// - Throws: ``OpenIDProviderError``, or an error of the listener, of TLS or of key generation.
    public static func start(_ configuration: Configuration, on group: any EventLoopGroup) async throws -> MockApple {
        if case .automatic = configuration.interaction, configuration.automaticPerson == nil {
            throw OpenIDProviderError.noSuchPerson
        }
        let key = try SigningKey.generate(configuration.signingAlgorithm.algorithm)
        let responder = StateResponder(try AppleState(configuration: configuration, key: key))
        let listener = try await ProviderListener.bind(
            host: configuration.host, port: configuration.port, certificate: configuration.certificate,
            responder: responder, on: group)
        do {
            // The issuer contains the port, which is known now; no connection has been accepted yet.
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

    /// Selects the misbehavior from the next request on.
    public func set(_ misbehavior: Misbehavior) {
        responder.update { $0.misbehavior = misbehavior }
    }

    /// Replaces the signing key of this mock. The old key is withdrawn at once.
    ///
    /// - Throws: An error of key generation.
    public func rotateKeys() throws {
        let algorithm = responder.update { $0.key.algorithm }
        let key = try SigningKey.generate(algorithm)
        responder.update { $0.key = key }
    }

    /// Registers another developer key.
    ///
    /// - Throws: An error if the key cannot be used.
    public func register(_ key: DeveloperKey) throws {
        let registered = try RegisteredKey(key)
        responder.update { $0.developerKeys.append(registered) }
    }

    /// Revokes a developer key. From now on, client secrets made with it are refused with `invalid_client`.
    public func withdraw(keyID: String) {
        responder.update { state in state.developerKeys.removeAll { $0.keyID.hasSameBytes(as: keyID) } }
    }

    /// Registers another redirect URI, for a client whose port is known only after the start.
    ///
    /// - Returns: `false` if there is no such Services ID, in which case nothing is registered.
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

    /// Transfers an app to another team. From now on, subjects are those of the new team, and ID tokens carry
    /// `transfer_sub`.
    ///
    /// - Returns: `false` if there is no such client.
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

    /// Returns the numbers of operations so far.
    public func counts() -> Counts {
        responder.update { $0.counts }
    }

    /// Returns the reasons why client secrets were refused, oldest first. Apple itself responds only with
    /// `invalid_client`.
    public func clientSecretRefusals() -> [String] {
        responder.update { $0.clientSecretRefusals }
    }

    /// Returns the requests since the start or the last ``resetRecordedRequests()``, oldest first; at least the last
    /// 10,000.
    public func recordedRequests() -> [OpenIDProvider.RecordedRequest] {
        responder.update { $0.recorded }
    }

    /// Removes the recorded requests.
    public func resetRecordedRequests() {
        responder.update { $0.recorded.removeAll() }
    }

    /// Stops listening and closes all connections. Returns when the last one is closed. Further calls do nothing.
    public func shutdown() async throws {
        await listener.close()
    }
}

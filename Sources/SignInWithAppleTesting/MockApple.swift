// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore
public import OIDCBrokerTesting

/// A mock of Sign in with Apple in this process, with its own listener and fictitious users. It follows Apple's
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
/// | `POST /auth/usermigrationinfo` | transfer of users between teams |
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

    let engine: ProviderEngine<AppleState>
    let group: any EventLoopGroup
    private let listener: ProviderListener

    private init(
        issuer: String,
        certificatePEM: String?,
        engine: ProviderEngine<AppleState>,
        listener: ProviderListener,
        group: any EventLoopGroup
    ) {
        self.issuer = issuer
        self.certificatePEM = certificatePEM
        self.engine = engine
        self.listener = listener
        self.group = group
        port = listener.port
    }

    /// Generates a signing key, binds the listener and begins to respond to requests.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the mock.
    ///   - group: The event loops it runs on, which must outlive it.
    /// - Throws: `OpenIDProviderError`, or an error of the listener, of TLS or of key generation.
    public static func start(_ configuration: Configuration, on group: any EventLoopGroup) async throws -> MockApple {
        let key = try SigningKey.generate(configuration.signingAlgorithm.algorithm)
        let engine = ProviderEngine(try AppleState(configuration: configuration, key: key))
        let (listener, issuer) = try await engine.listen(on: group)
        do {
            try await listener.accept()
            return MockApple(
                issuer: issuer, certificatePEM: configuration.certificate?.certificatePEM, engine: engine,
                listener: listener, group: group)
        } catch {
            await listener.close()
            throw error
        }
    }

    /// Selects the misbehavior from the next request on.
    public func set(_ misbehavior: Misbehavior) {
        engine.update { $0.settings.misbehavior = misbehavior }
    }

    /// Replaces the signing key of this mock. The old key is withdrawn at once.
    ///
    /// - Throws: An error of key generation.
    public func rotateKeys() throws {
        let algorithm = engine.update { $0.key.algorithm }
        let key = try SigningKey.generate(algorithm)
        engine.update { $0.key = key }
    }

    /// Registers another developer key.
    ///
    /// - Throws: An error if the key cannot be used.
    public func register(_ key: DeveloperKey) throws {
        let registered = try RegisteredKey(key)
        engine.update { $0.developerKeys.append(registered) }
    }

    /// Revokes a developer key. From now on, client secrets made with it are refused with `invalid_client`.
    public func withdraw(keyID: String) {
        engine.update { state in state.developerKeys.removeAll { $0.keyID.hasSameBytes(as: keyID) } }
    }

    /// Registers another redirect URI, for a client whose port is known only after the start.
    ///
    /// - Returns: `false` if there is no such Services ID, in which case nothing is registered.
    @discardableResult
    public func allow(redirectURI: String, forClient clientID: String) -> Bool {
        engine.update { state in
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
        engine.update { state in
            guard let index = state.configuration.clients.firstIndex(where: { $0.id.hasSameBytes(as: clientID) })
            else { return false }
            state.previousTeams[clientID] = state.configuration.clients[index].teamID
            state.configuration.clients[index].teamID = teamID
            return true
        }
    }

    /// Returns the numbers of operations so far.
    public func counts() -> Counts {
        engine.update { $0.counts }
    }

    /// Returns the reasons why client secrets were refused, oldest first. Apple itself responds only with
    /// `invalid_client`.
    public func clientSecretRefusals() -> [String] {
        engine.update { $0.clientSecretRefusals }
    }

    /// Returns the requests since the start or the last ``resetRecordedRequests()``, oldest first; at least the last
    /// 10,000.
    public func recordedRequests() -> [OpenIDProvider.RecordedRequest] {
        engine.update { $0.recorded }
    }

    /// Removes the recorded requests.
    public func resetRecordedRequests() {
        engine.update { $0.recorded.removeAll() }
    }

    /// Stops listening and closes all connections. Returns when the last one is closed. Further calls do nothing.
    public func shutdown() async throws {
        await listener.close()
    }
}

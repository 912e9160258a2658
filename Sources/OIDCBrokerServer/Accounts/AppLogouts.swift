// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty
import Signing
import Synchronization

/// The requests that tell apps of the end of their sessions (OpenID Connect Back-Channel Logout 1.0 section 2.5).
final class AppLogouts: Sendable {
    /// The time limit of an app.
    private static let timeout = TimeAmount.seconds(5)
    /// The maximum size of the response, which is discarded, in bytes.
    private static let longestResponse = 65_536

    /// An app as it is configured now.
    private struct Receiver: Sendable {
        let endpoint: AbsoluteURL
        let issuer: LogoutTokenIssuer
        let trust: ProviderTrust
    }

    private struct State {
        var transport: (any ProviderTransport)?
        /// By client ID.
        var receivers: [WireText: Receiver] = [:]
    }

    private let state = Mutex(State())
    private let clock: any UnixClock

    init(clock: any UnixClock) { self.clock = clock }

    /// Sends requests with a transport from now on.
    func use(_ transport: any ProviderTransport) { state.withLock { $0.transport = transport } }

    /// Takes a configuration into use.
    func use(_ broker: BrokerConfiguration) {
        guard broker.hasBackChannelLogout, let keys = SigningKeys(pem: broker.signingKeys) else {
            return state.withLock { $0.receivers = [:] }
        }
        let receivers = broker.apps.compactMap { app in
            app.backChannelLogoutEndpoint.map { endpoint in
                (
                    WireText(app.clientID),
                    Receiver(
                        endpoint: endpoint,
                        issuer: LogoutTokenIssuer(
                            issuer: broker.issuer, clientID: app.clientID,
                            key: keys.key(for: app.idTokenAlgorithm) ?? keys.defaultKey),
                        // The operator configured the address, which may be private.
                        trust: ProviderTrust(certificateAuthorities: app.certificateAuthorities, addresses: .any))
                )
            }
        }
        state.withLock { $0.receivers = Dictionary(receivers, uniquingKeysWith: { first, _ in first }) }
    }

    /// Whether an app is told.
    func reach(_ clientID: WireText) -> Bool {
        state.withLock { $0.receivers[clientID] != nil && $0.transport != nil }
    }

    /// Tells an app of the end of a session, with a token that is made for this attempt.
    /// - Parameter owner: What the app shares no connections with others by.
    /// - Throws: ``EventRefusal`` if the app did not take it: for good where it responded with 400.
    func deliver(
        _ event: AccountEvent, to clientID: WireText, owner: ObjectIdentifier, on eventLoop: any EventLoop
    ) async throws {
        let (transport, receiver) = state.withLock { ($0.transport, $0.receivers[clientID]) }
        guard let transport, let receiver else { throw EventRefusal("the app has no backchannel-logout-uri") }
        let session = try JSONParser.object(Array(event.json.utf8), limits: JSONLimits(maximumBytes: 4096))
        let token = try receiver.issuer.token(of: session, now: clock.now())
        var request = ProviderRequest(
            url: receiver.endpoint, content: .form(FormURLEncoding.encode([("logout_token", token)])),
            maximumResponseBytes: Self.longestResponse, deadline: .now() + Self.timeout, trust: receiver.trust)
        request.accept = "*/*"
        request.owner = owner
        let response: ProviderResponse
        do {
            response = try await transport.execute(request, on: eventLoop).get()
        } catch let error as ProviderTransportError {
            throw EventRefusal("the app: \(error)")
        }
        guard (200..<300).contains(response.status) else {
            throw EventRefusal("the app responded with \(response.status)", isFinal: response.status == 400)
        }
    }
}

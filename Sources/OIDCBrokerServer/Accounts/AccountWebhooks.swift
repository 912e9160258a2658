// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OpenIDRelyingParty
import Synchronization

/// The signed requests that tell the operator's servers of accounts, and ask them about new ones.
final class AccountWebhooks: Sendable {
    /// The maximum size of an answer about a new account, in bytes.
    static let longestAnswer = 4096
    /// The time limit of the receiver of an event.
    static let eventTimeout = TimeAmount.seconds(5)
    /// The maximum size of the response to an event, which is discarded, in bytes.
    private static let longestResponse = 65_536

    private struct State {
        var transport: (any ProviderTransport)?
        var events: PreparedWebhook?
        var newAccounts: PreparedWebhook?
    }

    private let state = Mutex(State())
    private let clock: any UnixClock

    init(clock: any UnixClock) { self.clock = clock }

    /// Sends requests with a transport from now on.
    func use(_ transport: any ProviderTransport) { state.withLock { $0.transport = transport } }

    /// Takes a configuration into use.
    func use(_ configuration: AccountsConfiguration, beside broker: BrokerConfiguration) {
        state.withLock { state in
            state.events = PreparedWebhook(broker.webhook)
            state.newAccounts = PreparedWebhook(configuration.newAccountWebhook(beside: broker))
        }
    }

    /// Whether there is a receiver of events.
    var hasEvents: Bool { state.withLock { $0.events != nil && $0.transport != nil } }

    /// Delivers an event.
    /// - Throws: ``EventRefusal`` if it was not taken.
    func deliver(_ event: AccountEvent, on eventLoop: any EventLoop) async throws {
        let (transport, webhook) = state.withLock { ($0.transport, $0.events) }
        guard let transport, let webhook else { throw EventRefusal("there is no auth.webhook.url") }
        let request = try webhook.request(
            Array(event.json.utf8), created: clock.now(), maximumResponseBytes: Self.longestResponse,
            within: Self.eventTimeout)
        let response: ProviderResponse
        do {
            response = try await transport.execute(request, on: eventLoop).get()
        } catch let error as ProviderTransportError {
            throw EventRefusal("the webhook: \(error)")
        }
        guard (200..<300).contains(response.status) else {
            throw EventRefusal("the receiver of the webhook responded with \(response.status)")
        }
    }

    /// Asks about a new account.
    /// - Returns: A future that fails if there is no answer in time, or one that cannot be used.
    func decide(
        about question: NewAccountQuestion, on eventLoop: any EventLoop
    ) -> EventLoopFuture<NewAccountDecision> {
        let (transport, webhook) = state.withLock { ($0.transport, $0.newAccounts) }
        guard let transport, let webhook else {
            return eventLoop.makeFailedFuture(NewAccountError("there is no auth.accounts.before-create"))
        }
        do {
            let request = try webhook.request(
                question.json(at: clock.now()).serialized(), created: clock.now(),
                maximumResponseBytes: Self.longestAnswer, within: .seconds(AccountLimits.newAccountSeconds))
            return transport.execute(request, on: eventLoop).flatMapErrorThrowing { error in
                throw NewAccountError(
                    "auth.accounts.before-create: \((error as? ProviderTransportError)?.description ?? "failed")")
            }.flatMapThrowing { response in
                guard response.status == 200 else {
                    throw NewAccountError("auth.accounts.before-create responded with \(response.status)")
                }
                return try NewAccountDecision(answer: Array(response.body.readableBytesView))
            }
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
    }
}

extension NewAccountQuestion {
    /// The body of the request.
    fileprivate func json(at now: Int64) -> JSONObject {
        var json: JSONObject = [
            "type": "account.before_create", "jti": .string(Base64URL.encode(SecureRandom.bytes(16))),
            "iat": .number(JSONNumber(now)), "provider": .string(identity.providerID),
            "upstream_iss": .string(identity.key.issuer), "upstream_sub": .string(identity.key.subject),
        ]
        if let email = identity.email {
            (json["email"], json["email_verified"]) = (.string(email.text), .bool(identity.isEmailProved))
        }
        if let name = identity.displayName { json["display_name"] = .string(name) }
        if let photo = identity.photoURL { json["photo_url"] = .string(photo) }
        if let app { json["app"] = .string(app) }
        json["claims"] = .object(claims)
        return json
    }
}

extension NewAccountDecision {
    /// Reads an answer: `{"allow": true}`, with `custom_claims` if the account gets some, or `{"allow": false, "reason":
    /// "…"}`. Other members are ignored.
    init(answer: [UInt8]) throws(NewAccountError) {
        guard
            let json = try? JSONParser.object(answer, limits: JSONLimits(maximumBytes: AccountWebhooks.longestAnswer)),
            let allows = json["allow"]?.boolValue
        else { throw NewAccountError("the response of auth.accounts.before-create has no 'allow'") }
        guard allows else {
            guard let reason = json["reason"]?.text, reason.utf8.count <= AccountLimits.blockingReasonBytes else {
                throw NewAccountError(
                    "the response of auth.accounts.before-create has no 'reason' of at most 200 bytes")
            }
            self = .refused(reason: reason.makeString())
            return
        }
        guard let given = json["custom_claims"], given != .null else {
            self = .allowed(customClaims: nil)
            return
        }
        guard let object = given.objectValue,
            let claims = CustomClaims(json: String(decoding: object.serialized(), as: UTF8.self))
        else { throw NewAccountError("the custom_claims of auth.accounts.before-create cannot be used") }
        self = .allowed(customClaims: claims)
    }
}

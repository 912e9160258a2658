// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import NIOCore
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import SingleUse

/// The endpoint to which a provider posts notifications about accounts (`POST notifications/<provider>`).
///
/// The response is a success only after the notification was delivered; otherwise the provider sends it again. A
/// delivered notification is claimed, so that a repetition is not delivered again.
struct NotificationEndpoint: RequestHandling {
    /// The lifetime of the claim of a delivered notification, in seconds. It is longer than a notification is accepted
    /// by any clock.
    static let claimLifetime: Int64 = RelyingParty.securityEventLifetime + 900

    /// The result of a notification: the metric label, and `auth.outcome` in the log.
    private enum End: String {
        case delivered
        case repeated
        case refused
        case notDelivered = "not_delivered"
        case unavailable

        /// The message of the log.
        var message: StaticString {
            switch self {
            case .delivered: "provider notification delivered"
            case .repeated: "provider notification was delivered before"
            case .refused: "provider notification refused"
            case .notDelivered: "provider notification not delivered"
            case .unavailable: "provider notification not verified"
            }
        }
    }

    /// The time for which no other replica delivers a notification that is being delivered, in seconds: longer than a
    /// delivery takes.
    static let inHandLifetime: Int64 = 10

    /// The time after which a provider may send a notification again that could not be handed on, in seconds.
    static let retryAfter = 5

    let context: RequestContext

    func respond(to request: BrokerRequest, from provider: ProviderEntry) -> Eventual<BrokerResponse> {
        guard request.method == .post else {
            return .value(.methodNotAllowed("POST"))
        }
        let limits = LimitResponses(context: context)
        if let refusal = limits.refusal(ofNotificationOf: provider) { return .value(refusal) }
        let checked = event(in: request, of: provider)
        // Before it is handed on, for which the receiver has seconds: no valid one is to wait for another.
        checked.whenComplete { result in
            let check: LimitResponses.NotificationCheck =
                switch result {
                case .success: .verified
                case .failure(let error): Self.refusal(error) == nil ? .unchecked : .refused
                }
            limits.ended(check, ofNotificationOf: provider)
        }
        return checked.flatMap { event in
            handOn(
                ProviderNotification(
                    event, from: provider, appsThatOutliveLogout: snapshot.appsThatOutliveLogout), of: provider)
        }.recover { error in
            // Refused permanently, or to be sent again when the provider's keys are available.
            let refusal = Self.refusal(error)
            let detail = refusal ?? (error as? RelyingPartyError)?.description
            return end(refusal != nil ? .refused : .unavailable, detail, provider)
        }
    }

    /// Why a notification is refused permanently; `nil` if it could not be checked.
    private static func refusal(_ error: any Error) -> String? {
        (error as? AppleNotificationError)?.description ?? (error as? SecurityEventError)?.description
    }

    private func event(
        in request: BrokerRequest, of provider: ProviderEntry
    ) -> Eventual<ProviderNotification.Event> {
        guard provider.behavior.postsNotifications else { return logout(in: request, of: provider) }
        let others = snapshot.extensions.notifications.flatMap {
            $0.nativeAudiences(at: provider.id, named: provider.name)
        }
        return Eventual.future(
            provider.relyingParty.appleNotification(
                body: Array(request.body.readableBytesView),
                nativeAudiences: snapshot.nativeAudiences(of: provider) + others, on: eventLoop)
        ).flatMapThrowing { .apple($0) }
    }

    /// Verifies a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.5), which comes in a form.
    private func logout(
        in request: BrokerRequest, of provider: ProviderEntry
    ) -> Eventual<ProviderNotification.Event> {
        guard FormBody.isForm(request.headerFields),
            let form = try? FormURLEncoding.parse(request.body.readableBytesView),
            let token = ((try? form.nonEmptyValue("logout_token")) ?? nil)?.ascii(atMost: JSONWebSignature.longestToken)
        else { return .failure(SecurityEventError.token("there is no form with a logout_token")) }
        return provider.relyingParty.verifyBackChannelLogout(token, in: RequestScope(on: eventLoop))
            .flatMapThrowing { .logout($0) }
    }

    private func handOn(
        _ notification: ProviderNotification, of provider: ProviderEntry
    ) -> Eventual<BrokerResponse> {
        var name = ByteWriter()
        name.write(counted: notification.issuer.utf8)
        name.write(counted: notification.identifier.utf8)
        let key = SingleUseKey(.notification, name.bytes)
        guard services.notificationsInFlight.begin(key) else {
            return .value(
                end(
                    .notDelivered, "it is being delivered already", provider, notification.subject,
                    isUnderWay: true))
        }
        let response = services.lastingStore.isClaimed(key, on: eventLoop).flatMap { isRepeated in
            guard !isRepeated else { return .value(end(.repeated, nil, provider, notification.subject)) }
            return mayDeliver(key).flatMap { mayDeliver in
                guard mayDeliver else {
                    return .value(
                        end(
                            .notDelivered, "another replica is delivering it, or just did", provider,
                            notification.subject, isUnderWay: true))
                }
                return deliver(notification, key, of: provider)
            }
        }.recover { _ in
            end(.unavailable, "the store cannot be reached", provider, notification.subject)
        }
        response.whenComplete { _ in services.notificationsInFlight.end(key) }
        return response
    }

    /// Returns whether no other replica delivers the notification at this moment.
    private func mayDeliver(_ key: SingleUseKey) -> Eventual<Bool> {
        let store = services.lastingStore
        guard store.inMemory == nil else { return .value(true) }
        return store.claim(
            SingleUseKey(.notificationInHand, key.bytes), seconds: Self.inHandLifetime, reserve: 0, on: eventLoop
        ).flatMapThrowing { $0 != .lost }
    }

    private func deliver(
        _ notification: ProviderNotification, _ key: SingleUseKey, of provider: ProviderEntry
    ) -> Eventual<BrokerResponse> {
        let delivery = NotificationDelivery(
            webhook: snapshot.webhook, receivers: snapshot.extensions.notifications, services: services,
            eventLoop: eventLoop)
        return delivery.deliver(notification)
            .flatMap { claim(key, of: provider) }
            .flatMapThrowing { isClaimed in
                end(
                    .delivered, isClaimed ? nil : "it could not be recorded, and may be delivered again", provider,
                    notification.subject)
            }
            .recover { error in
                end(.notDelivered, Self.description(of: error), provider, notification.subject)
            }
    }

    /// Claims a delivered notification, which it is even if claiming fails. A provider that sends any number of them
    /// leaves room for the claims of others.
    private func claim(_ key: SingleUseKey, of provider: ProviderEntry) -> Eventual<Bool> {
        services.lastingStore.claim(
            key, owner: SingleUseOwner(person: key, provider: provider.share), seconds: Self.claimLifetime,
            on: eventLoop
        ).flatMapThrowing { $0 == .won || $0 == .lost }.recover { _ in false }
    }

    /// Returns only the type of an embedder's error, whose description may contain anything.
    private static func description(of error: any Error) -> String {
        switch error {
        case let failure as NotificationDelivery.Failure: failure.description
        case let failure as ProviderTransportError: "the webhook: \(failure)"
        default: "the handler failed: \(type(of: error))"
        }
    }

    /// - Parameter subject: The `sub` of the user; `nil` if there is none, or the notification does not hold.
    private func end(
        _ end: End, _ detail: String?, _ provider: ProviderEntry, _ subject: String? = nil, isUnderWay: Bool = false
    ) -> BrokerResponse {
        metrics.notifications.increment(provider.id, end.rawValue)
        let isWell = end == .delivered || end == .repeated
        // Any client can send notifications that are refused, or that name a key which has to be fetched from the
        // provider.
        let line: RepeatableEvent? =
            switch end {
            case .refused: .refusedNotification
            case .unavailable: .providerUnavailable
            // The reason why the first one was not delivered follows later and must be logged.
            case .notDelivered: isUnderWay ? .notificationUnderWay : .notDelivered
            case .delivered, .repeated: nil
            }
        let written = line.map { services.line($0, at: .notification, provider: provider.number) }
        audit.record(
            AuditEvent(
                .notification, outcome: end.rawValue, provider: provider.id, subject: subject, client: context.client,
                reference: written?.reference),
            with: end == .refused || end == .unavailable ? written : nil)
        if let repetition = written.map(\.metadata) ?? [:] {
            let metadata: Logger.Metadata = [
                "auth.outcome": "\(end.rawValue)", "auth.detail": "\(LogText.detail(detail))",
                "auth.provider": "\(provider.id)",
            ]
            logger.log(
                level: isWell && detail == nil ? .debug : end == .refused ? .info : .warning, "\(end.message)",
                metadata: metadata.merging(repetition) { own, _ in own })
        }
        var response: BrokerResponse
        switch end {
        case .delivered, .repeated: response = .plain(status: .ok, "")
        case .refused: response = .plain(status: .badRequest, "The notification is refused.\n")
        case .notDelivered, .unavailable:
            response = .plain(status: .serviceUnavailable, "Please send it again.\n")
            response.head.headerFields[.retryAfter] = String(Self.retryAfter)
        }
        return response.noting(end.rawValue, written?.reference)
    }
}

// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDRelyingParty

/// The delivery of a verified notification to the embedder's handler or, if there is none, to the webhook.
struct NotificationDelivery {
    /// The reason why a notification was not delivered. It contains nothing of the notification.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        static let noReceiver = Failure(description: "there is neither a handler nor auth.webhook.url")
        /// The type of the error only, whose description may contain anything.
        static func ofExtension(_ error: any Error) -> Failure {
            Failure(description: "a part of the server failed: \(type(of: error))")
        }
        static let timedOut = Failure(description: "it was not accepted in time")
        static func status(_ status: Int) -> Failure {
            Failure(description: "the receiver of the webhook responded with \(status)")
        }
    }

    /// The time limit of the handler or the webhook's receiver.
    static let timeout = TimeAmount.seconds(5)
    /// The maximum size of the response of a webhook's receiver, which is discarded, in bytes.
    private static let maximumResponseBytes = 65_536

    let webhook: PreparedWebhook?
    let receivers: [any NotificationReceiver]
    let services: BrokerServices
    let eventLoop: any EventLoop

    /// Delivers a notification after the extensions received it. The future succeeds if it was accepted.
    func deliver(_ notification: ProviderNotification) -> Eventual<Void> {
        guard !receivers.isEmpty else { return handOn(notification) }
        return receive(notification).flatMap { isConcluded in
            // If an extension handled it, there may be no other receiver.
            isConcluded && services.notificationHandler == nil && webhook == nil
                ? .value(()) : handOn(notification)
        }
    }

    /// Lets the extensions receive a notification one after another, until one fails.
    /// - Returns: Whether it concerned one of them.
    private func receive(_ notification: ProviderNotification) -> Eventual<Bool> {
        receivers.reduce(Eventual.value(false)) { earlier, next in
            earlier.flatMap { isConcerned in
                .future(next.receive(notification, on: eventLoop).hop(to: eventLoop).map { $0 || isConcerned })
            }
        }.flatMapErrorThrowing { throw Failure.ofExtension($0) }
    }

    private func handOn(_ notification: ProviderNotification) -> Eventual<Void> {
        if let handler = services.notificationHandler { return deliver(notification, to: handler) }
        if let webhook { return deliver(notification, to: webhook) }
        return .failure(Failure.noReceiver)
    }

    private func deliver(
        _ notification: ProviderNotification, to handler: any NotificationHandler
    ) -> Eventual<Void> {
        // The edge to an embedder's own task.
        let promise = eventLoop.makePromise(of: Void.self)
        let task = Task {
            do {
                try await handler.handle(notification)
                promise.succeed()
            } catch {
                promise.fail(error)
            }
        }
        let handled = Eventual.future(promise.futureResult).bounded(
            by: eventLoop.now + Self.timeout, else: Failure.timedOut)
        // One that has ended already is not changed by it. The task may outlive the event loop; its promise must not.
        handled.whenComplete { result in
            task.cancel()
            if case .failure(let error) = result { promise.fail(error) }
        }
        return handled
    }

    private func deliver(_ notification: ProviderNotification, to webhook: PreparedWebhook) -> Eventual<Void> {
        let request: ProviderRequest
        do {
            request = try webhook.request(
                notification.json.serialized(), created: services.clock.now(),
                maximumResponseBytes: Self.maximumResponseBytes, within: Self.timeout)
        } catch {
            return .failure(error)
        }
        return Eventual.future(services.transport.execute(request, on: eventLoop)).flatMapThrowing { response in
            guard (200..<300).contains(response.status) else { throw Failure.status(response.status) }
        }
    }
}

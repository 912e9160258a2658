// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OpenIDConnect
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
            // Where an extension was concerned, there may be nobody else to tell.
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
        let body = notification.json.serialized()
        let fields: [(name: String, value: String)]
        do {
            fields = try Self.fields(body, webhook, created: services.clock.now())
        } catch {
            return .failure(error)
        }
        // The operator configured the address, which may be private.
        let request = ProviderRequest(
            url: webhook.endpoint, content: .bytes(body, fields: fields),
            maximumResponseBytes: Self.maximumResponseBytes, deadline: .now() + Self.timeout,
            trust: ProviderTrust(certificateAuthorities: nil, addresses: .any))
        return Eventual.future(services.transport.execute(request, on: eventLoop)).flatMapThrowing { response in
            guard (200..<300).contains(response.status) else { throw Failure.status(response.status) }
        }
    }

    /// Returns `Content-Digest` (RFC 9530) and the signature (RFC 9421) of it, the method, the address and the type.
    private static func fields(
        _ body: [UInt8], _ webhook: PreparedWebhook, created: Int64
    ) throws -> [(name: String, value: String)] {
        let contentType = "application/json"
        let digest = try ContentDigest.sha256(of: body)
        let signature = try MessageSignature(
            MessageSignature.Request(
                method: "POST", targetURI: webhook.endpoint.text, contentType: contentType, contentDigest: digest),
            key: webhook.key, created: created)
        return [
            ("content-type", contentType), ("content-digest", digest), ("signature-input", signature.input),
            ("signature", signature.signature),
        ]
    }
}

/// The address of the webhook and the key that signs its requests.
struct PreparedWebhook: Sendable {
    let endpoint: AbsoluteURL
    let key: SigningKey

    /// Prepares a webhook; `nil` if none is configured. Validation reports one that cannot be used.
    init?(_ webhook: BrokerConfiguration.Webhook?) {
        guard let endpoint = webhook?.endpoint, let key = webhook?.key else { return nil }
        self.endpoint = endpoint
        self.key = key
    }
}

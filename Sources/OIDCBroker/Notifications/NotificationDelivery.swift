// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

/// Hands a verified notification on: to the embedder's handler, or, without one, to the webhook.
struct NotificationDelivery {
    /// Why nobody took it. Never holds anything of the notification.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        static let nobody = Failure(description: "there is neither a handler nor auth.webhook.url")
        static let timedOut = Failure(description: "it was not taken in time")
        static func status(_ status: Int) -> Failure {
            Failure(description: "the receiver of the webhook responded with \(status)")
        }
    }

    /// How long whoever takes it may need.
    static let timeout = TimeAmount.seconds(5)
    /// The maximum size of the response of a webhook's receiver, which is discarded, in bytes.
    private static let maximumResponseBytes = 65_536

    let webhook: PreparedWebhook?
    let services: BrokerServices
    let eventLoop: any EventLoop

    /// Succeeds when it was taken.
    func deliver(_ notification: ProviderNotification) -> EventLoopFuture<Void> {
        if let handler = services.apple.notificationHandler { return deliver(notification, to: handler) }
        if let webhook { return deliver(notification, to: webhook) }
        return eventLoop.makeFailedFuture(Failure.nobody)
    }

    private func deliver(
        _ notification: ProviderNotification, to handler: any NotificationHandler
    ) -> EventLoopFuture<Void> {
        // Whichever comes first counts; the other finds it settled.
        let promise = eventLoop.makePromise(of: Void.self)
        let task = Task {
            do {
                try await handler.handle(notification)
                promise.succeed()
            } catch {
                promise.fail(error)
            }
        }
        let deadline = eventLoop.scheduleTask(in: Self.timeout) {
            promise.fail(Failure.timedOut)
            task.cancel()
        }
        promise.futureResult.whenComplete { _ in deadline.cancel() }
        return promise.futureResult
    }

    private func deliver(_ notification: ProviderNotification, to webhook: PreparedWebhook) -> EventLoopFuture<Void> {
        let body = notification.json.serialized()
        let fields: [(name: String, value: String)]
        do {
            fields = try Self.fields(body, webhook, created: services.clock.now())
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
        // The operator configured the address, which may be a private one.
        let request = ProviderRequest(
            url: webhook.endpoint, content: .bytes(body, fields: fields),
            maximumResponseBytes: Self.maximumResponseBytes, deadline: .now() + Self.timeout,
            trust: ProviderTrust(certificateAuthorities: nil, addresses: .any))
        return services.transport.execute(request, on: eventLoop).flatMapThrowing { response in
            guard (200..<300).contains(response.status) else { throw Failure.status(response.status) }
        }
    }

    /// `Content-Digest` (RFC 9530) and the signature (RFC 9421) over it, the method, the address and the type.
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

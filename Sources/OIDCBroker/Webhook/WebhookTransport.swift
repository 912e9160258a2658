// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// Sends a webhook, from an event loop and back to it.
///
/// A `ProviderTransport` that is one of these as well is what a broker sends its webhooks by. What such a transport
/// must keep holds here too: redirects are not followed, and nothing is sent twice.
public protocol WebhookTransport: Sendable {
    /// Sends the request, a POST.
    /// - Returns: the status of the response, whose body nobody reads. A future of the given event loop; it fails with
    ///   `ProviderTransportError` where there is no response before the deadline.
    func send(_ request: WebhookRequest, on eventLoop: any EventLoop) -> EventLoopFuture<Int>
}

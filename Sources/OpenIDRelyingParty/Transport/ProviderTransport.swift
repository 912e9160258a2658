// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// A transport that sends bounded requests to a provider.
///
/// Every transport must follow these rules:
/// - Redirects are not followed.
/// - No compression is requested, and a response with `Content-Encoding` is refused.
/// - A form is not sent again once a byte of it was written. A GET is sent again at most once, if a connection ended
///   before its response began.
/// - The connected address is validated against the request's trust before the first byte of the request is sent.
public protocol ProviderTransport: Sendable {
    /// Executes the request. The future is on the given event loop and fails with ``ProviderTransportError``.
    func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse>
}

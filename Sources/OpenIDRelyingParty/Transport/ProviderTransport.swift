// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// Sends one bounded request to a provider, from an event loop and back to it.
///
/// What every transport must keep: redirects are not followed; no compression is asked for and a response with
/// `Content-Encoding` is refused; a form is not sent again once a byte of it was written, and a GET once at most, where
/// a connection ended before its response began; the connected address is validated by the request's trust before
/// the first byte of the request is sent.
public protocol ProviderTransport: Sendable {
    /// Executes the request. The future is of the given event loop and fails with ``ProviderTransportError``.
    func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse>
}

// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// A provider's response, whole.
public struct ProviderResponse: Sendable {
    /// The HTTP status.
    public var status: Int
    /// Content-Type, as sent.
    public var contentType: String?
    /// The body, within the request's limit.
    public var body: ByteBuffer
    /// Cache-Control, as sent; several fields joined by commas.
    public var cacheControl: String?
    /// Retry-After, as sent.
    public var retryAfter: String?

    /// A response.
    public init(
        status: Int,
        contentType: String?,
        body: ByteBuffer,
        cacheControl: String? = nil,
        retryAfter: String? = nil
    ) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.cacheControl = cacheControl
        self.retryAfter = retryAfter
    }
}

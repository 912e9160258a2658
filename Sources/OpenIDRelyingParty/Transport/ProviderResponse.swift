// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// A complete response of a provider.
public struct ProviderResponse: Sendable {
    /// The HTTP status code.
    public var status: Int
    /// The Content-Type field as it was sent.
    public var contentType: String?
    /// The body, which is within the limit of the request.
    public var body: ByteBuffer
    /// The Cache-Control field as it was sent. Several fields are joined by commas.
    public var cacheControl: String?
    /// The Retry-After field as it was sent.
    public var retryAfter: String?
    /// The Date field as it was sent, of a document or of the response to a DPoP proof.
    package var date: String?
    /// The Age field of a document as it was sent, which a cache adds.
    package var age: String?

    /// The DPoP-Nonce field of the response to a DPoP proof as it was sent.
    package var dpopNonce: String?
    /// The WWW-Authenticate field of a response with status 400, 401 or 403 as it was sent.
    package var challenge: String?

    /// Creates a response.
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

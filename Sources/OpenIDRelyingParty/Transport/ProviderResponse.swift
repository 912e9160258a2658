// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// A provider's answer, whole.
public struct ProviderResponse: Sendable {
    /// The HTTP status.
    public var status: Int
    /// Content-Type, as sent.
    public var contentType: String?
    /// The body, within the request's limit.
    public var body: ByteBuffer

    /// An answer.
    public init(status: Int, contentType: String?, body: ByteBuffer) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }
}

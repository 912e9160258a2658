// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import NIOCore

/// A request to the broker, whole: its head and a body that was bounded while it was read.
public struct BrokerRequest: Sendable {
    /// The head; `path` is the raw request target, beginning with `/`. Of the fields the broker reads Authorization,
    /// Content-Type, Cookie, Origin, Sec-Fetch-Dest, Sec-Fetch-Mode, Sec-Fetch-Site and Sec-Purpose.
    public var head: HTTPRequest
    /// The body, at most ``BrokerLimits/maximumBodyBytes``.
    public var body: ByteBuffer
    /// Whether an authority other than the public URL's is answered 421. A standalone server judges it; an embedding
    /// server may serve other names on the same listener.
    public var isAuthorityJudged: Bool

    /// A request.
    public init(head: HTTPRequest, body: ByteBuffer = ByteBuffer(), isAuthorityJudged: Bool = false) {
        self.head = head
        self.body = body
        self.isAuthorityJudged = isAuthorityJudged
    }
}

// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import Logging
public import NIOCore

/// A complete request to the broker: its head, and a body that was bounded while it was read.
///
/// It holds no `HTTPRequest`: that validates again each byte of a path and an authority that the connection has validated,
/// which is 8,000 instructions of a callback.
public struct BrokerRequest: Sendable {
    /// The names of all fields that the broker reads: a connection need not make fields of any others. Whoever reads
    /// another one here names it here, or it is never there.
    package static let readFieldNames: [HTTPField.Name] = [
        .authorization, .contentType, .cookie, .origin, .secFetchDestination, .secFetchMode, .secFetchSite, .secPurpose,
    ]

    package var method: HTTPRequest.Method
    /// Host and port, if one was given.
    package var authority: String?
    /// The raw request target, beginning with `/`.
    package var path: String?
    /// The fields that the broker reads, or all; without `Host`.
    package var headerFields: HTTPFields
    /// The body, at most ``BrokerLimits/maximumBodyBytes``.
    public var body: ByteBuffer
    /// Whether an authority other than the public URL's is answered 421. A standalone server validates it; an embedding
    /// server may serve other names on the same listener.
    public var validatesAuthority: Bool
    /// Who asks, where that is known and no proxy; nil is held to no bound of its own.
    public var clientAddress: ClientAddress?
    /// What logs the request's outcome, with the metadata of the caller: a request ID, a trace; `nil` for the broker's own
    /// logger.
    public var logger: Logger?

    /// A request.
    /// - Parameters:
    ///   - head: its `path` is the raw request target, beginning with `/`.
    ///   - body: The body, at most ``BrokerLimits/maximumBodyBytes``.
    ///   - validatesAuthority: Whether an authority other than the public URL's receives 421.
    ///   - clientAddress: the connection's peer; `nil` if it is not known, or a proxy.
    public init(
        head: HTTPRequest, body: ByteBuffer = ByteBuffer(), validatesAuthority: Bool = false,
        clientAddress: ClientAddress? = nil
    ) {
        self.init(
            method: head.method, authority: head.authority, path: head.path, headerFields: head.headerFields,
            body: body, validatesAuthority: validatesAuthority, clientAddress: clientAddress)
    }

    package init(
        method: HTTPRequest.Method, authority: String?, path: String?, headerFields: HTTPFields,
        body: ByteBuffer = ByteBuffer(), validatesAuthority: Bool = false, clientAddress: ClientAddress? = nil
    ) {
        self.method = method
        self.authority = authority
        self.path = path
        self.headerFields = headerFields
        self.body = body
        self.validatesAuthority = validatesAuthority
        self.clientAddress = clientAddress
    }
}

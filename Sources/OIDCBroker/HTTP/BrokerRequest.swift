// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import Logging
public import NIOCore

/// A complete request to the broker: its head, and a body whose size was bounded while it was received.
public struct BrokerRequest: Sendable {
    /// The names of all header fields that the broker reads, so that a connection does not have to convert others. A
    /// field that is not listed here is not available.
    package static let readFieldNames: [HTTPField.Name] = [
        .acceptLanguage, .authorization, .contentType, .cookie, .origin, .secFetchDestination, .secFetchMode,
        .secFetchSite, .secPurpose, .iOSBundleIdentifier,
    ]

    private struct Head: Sendable {
        var method: HTTPRequest.Method
        var authority: String?
        var path: String?
        var headerFields: HTTPFields
    }

    /// The head as one object: a request is copied several times on its way, and its copies share it.
    private final class SharedHead: Sendable {
        let value: Head

        init(_ value: Head) { self.value = value }
    }

    private var shared: SharedHead

    private var head: Head {
        get { shared.value }
        set { shared = SharedHead(newValue) }
    }

    package var method: HTTPRequest.Method {
        get { shared.value.method }
        set { head.method = newValue }
    }
    /// Host and port, if one was given.
    package var authority: String? {
        get { shared.value.authority }
        set { head.authority = newValue }
    }
    /// The raw request target, beginning with `/`.
    package var path: String? {
        get { shared.value.path }
        set { head.path = newValue }
    }
    /// The fields that the broker reads, or all; without `Host`.
    package var headerFields: HTTPFields {
        get { shared.value.headerFields }
        set { head.headerFields = newValue }
    }
    /// The body, at most ``BrokerLimits/maximumBodyBytes``.
    public var body: ByteBuffer
    /// Whether the response to an authority other than that of the public URL is 421. A standalone server validates it;
    /// an embedding server may serve other names on the same listener.
    public var validatesAuthority: Bool
    /// The address of the client; `nil` if it is not known or belongs to a proxy, in which case no limits for one
    /// client apply.
    public var clientAddress: ClientAddress?
    /// The logger of the request's outcome, with the metadata of the caller, such as a request ID; `nil` for the broker's
    /// own logger.
    public var logger: Logger?

    /// Creates a request.
    /// - Parameters:
    ///   - head: The head. Its `path` is the raw request target, which begins with `/`.
    ///   - body: The body, at most ``BrokerLimits/maximumBodyBytes``.
    ///   - validatesAuthority: Whether an authority other than the public URL's gets a 421.
    ///   - clientAddress: The address of the connection's peer; `nil` if it is not known or belongs to a proxy.
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
        shared = SharedHead(Head(method: method, authority: authority, path: path, headerFields: headerFields))
        self.body = body
        self.validatesAuthority = validatesAuthority
        self.clientAddress = clientAddress
    }
}

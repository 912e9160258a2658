// SPDX-License-Identifier: Apache-2.0

public import Admission
public import HTTPTypes
public import Logging
public import NIOCore
public import Tracing

/// A complete request to the broker: its head, and a body whose size was bounded while it was received.
public struct BrokerRequest: Sendable {
    /// The names of all header fields that the broker reads, so that a connection does not have to convert others. A
    /// field that is not listed here is not available.
    package static let readFieldNames: [HTTPField.Name] = [
        .acceptLanguage, .authorization, .contentType, .cookie, .origin, .referer, .secFetchDestination, .secFetchMode,
        .secFetchSite, .secPurpose, .iOSBundleIdentifier, .accessControlRequestPrivateNetwork,
        .accessControlRequestHeaders, .ifNoneMatch, .googleAPIKey,
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

    /// The method of the request.
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
    /// The address of the client, which is used for limits, the log and the audit and for nothing else; `nil` if it is
    /// not known, or belongs to a proxy that speaks for all clients. Then no limits for one client apply. It is never a
    /// text that a client sent: only a trusted proxy names another address than that of the connection.
    public var client: IPAddress?
    /// The logger of the request's outcome, with the metadata of the caller, such as a request ID; `nil` for the broker's
    /// own logger.
    public var logger: Logger?
    /// Where the request's span has its parent from; `nil` for a root. It is a single reference, since requests are copied.
    package var traceOrigin: RequestTraceOrigin?

    /// Creates a request.
    /// - Parameters:
    ///   - head: The head. Its `path` is the raw request target, which begins with `/`.
    ///   - body: The body, at most ``BrokerLimits/maximumBodyBytes``.
    ///   - validatesAuthority: Whether an authority other than the public URL's gets a 421.
    ///   - client: The address of the client, whatever network it is in; `nil` if it is not known, or belongs to a
    ///     proxy that speaks for all clients.
    public init(
        head: HTTPRequest, body: ByteBuffer = ByteBuffer(), validatesAuthority: Bool = false,
        client: IPAddress? = nil
    ) {
        self.init(
            method: head.method, authority: head.authority, path: head.path, headerFields: head.headerFields,
            body: body, validatesAuthority: validatesAuthority, client: client)
    }

    /// Creates a request of the parts of its head. The rest of the head is not read. `path` is the raw request target.
    package init(
        method: HTTPRequest.Method, authority: String?, path: String?, headerFields: HTTPFields,
        body: ByteBuffer = ByteBuffer(), validatesAuthority: Bool = false, client: IPAddress? = nil
    ) {
        shared = SharedHead(Head(method: method, authority: authority, path: path, headerFields: headerFields))
        self.body = body
        self.validatesAuthority = validatesAuthority
        self.client = client
    }

    /// The span of the embedding server under which the one of the request stands; `nil` if there is none, so that the
    /// request's is a root. It is only used if the broker has a tracer. What a client sent must not be in it: of
    /// `traceparent` and `tracestate`, only those of a trusted proxy.
    public var serviceContext: ServiceContext? {
        get { if case .context(let context) = traceOrigin { context } else { nil } }
        set { traceOrigin = newValue.map { .context($0) } }
    }
}

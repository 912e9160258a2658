// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import OpenIDConnect
import OpenIDRelyingParty
import Testing

/// Requests as the tests of a transport send them.
enum TestRequest {
    /// The maximum length of a response, in bytes.
    static let limit = 1024

    /// The event loop of all requests that name no other: on another one a request would have a connection of its own,
    /// whatever became of the one before it.
    static let loop = MultiThreadedEventLoopGroup.singleton.any()

    /// A request.
    static func make(
        _ url: String,
        authorization: String? = nil,
        form: String? = nil,
        fields: [(name: String, value: String)] = [],
        timeout: TimeAmount = .seconds(30),
        addresses: ProviderTrust.Addresses = .any
    ) throws -> ProviderRequest {
        var request = ProviderRequest(
            url: try #require(AbsoluteURL(url)), authorization: authorization, content: form.map { .form($0) },
            maximumResponseBytes: limit, deadline: .now() + timeout,
            trust: ProviderTrust(certificateAuthorities: nil, addresses: addresses))
        request.additionalFields = fields
        return request
    }

    /// Sends a request.
    static func execute(
        _ transport: any ProviderTransport,
        _ url: String,
        authorization: String? = nil,
        form: String? = nil,
        fields: [(name: String, value: String)] = [],
        timeout: TimeAmount = .seconds(30),
        addresses: ProviderTrust.Addresses = .any,
        on eventLoop: any EventLoop = TestRequest.loop
    ) async throws -> ProviderResponse {
        let request = try make(
            url, authorization: authorization, form: form, fields: fields, timeout: timeout, addresses: addresses)
        return try await transport.execute(request, on: eventLoop).get()
    }

    /// A response as a ``ScriptedServer`` sends it.
    static func response(_ body: String, status: String = "200 OK", fields: [String] = []) -> String {
        let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields
        return head.joined(separator: "\r\n") + "\r\n\r\n" + body
    }
}

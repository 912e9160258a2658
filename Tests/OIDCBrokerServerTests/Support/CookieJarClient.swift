// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

/// The browser: AsyncHTTPClient with a cookie jar. It follows nothing by itself, so that each step can be looked at.
actor CookieJarClient {
    /// What came back.
    struct Page: Sendable {
        let url: String
        let version: HTTPVersion
        let status: Int
        let headers: HTTPHeaders
        let body: String

        /// `Location`, absolute or, as a path, of the same origin.
        var location: String? {
            headers.first(name: "location").map { target in
                guard target.hasPrefix("/") else { return target }
                return URL(string: target, relativeTo: URL(string: url))?.absoluteString ?? target
            }
        }
    }

    private let http: HTTPClient
    /// The cookies so far.
    private(set) var jar = CookieJar()

    /// A new browser without cookies, over a client of ``makeHTTPClient(trusting:version:)``.
    init(_ http: HTTPClient) {
        self.http = http
    }

    /// A client that trusts the certificate only, verifies names, and follows no redirect; shut it down.
    static func makeHTTPClient(
        trusting certificate: DevelopmentCertificate, version: HTTPClient.Configuration.HTTPVersion
    ) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: try certificate.clientConfiguration(), redirectConfiguration: .disallow)
        configuration.httpVersion = version
        // A thousand requests at a time wait for their turn on the connection, which counts as connecting.
        configuration.timeout.connect = .seconds(120)
        // The name is verified all the same; the listener is on IPv4 only.
        configuration.dnsOverride = ["localhost": "127.0.0.1"]
        return HTTPClient(eventLoopGroupProvider: .shared(RunningServer.eventLoops), configuration: configuration)
    }

    /// Goes to a URL.
    func open(_ url: String, from initiator: Page? = nil) async throws -> Page {
        try await send(HTTPClientRequest(url: url), initiator: initiator)
    }

    /// Submits a page's form.
    func submit(
        _ form: PageForm, of page: Page, _ fields: [(String, String)] = []
    ) async throws -> Page {
        let target = try #require(URL(string: form.action, relativeTo: URL(string: page.url))).absoluteString
        var request = HTTPClientRequest(url: target)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        request.headers.add(name: "origin", value: try Self.origin(page.url))
        request.body = .bytes(ByteBuffer(string: FormURLEncoding.encode(form.hidden + fields)))
        return try await send(request, initiator: page)
    }

    /// Puts the cookies back to what they were: what a thief would have kept.
    func restore(_ jar: CookieJar) { self.jar = jar }

    /// Forgets all cookies.
    func forget() { jar = CookieJar() }

    private func send(_ prepared: HTTPClientRequest, initiator: Page?) async throws -> Page {
        var request = prepared
        let url = try #require(URL(string: request.url))
        let host = try #require(url.host())
        let isSecure = url.scheme == "https"
        let isSameSite = try initiator.map { try Self.origin($0.url) == Self.origin(request.url) } ?? true
        request.headers.add(name: "sec-fetch-mode", value: "navigate")
        request.headers.add(name: "sec-fetch-dest", value: "document")
        request.headers.add(
            name: "sec-fetch-site", value: initiator == nil ? "none" : isSameSite ? "same-origin" : "cross-site")
        let cookies = jar.field(
            host: host, path: url.path().isEmpty ? "/" : url.path(), isSecure: isSecure,
            isCrossSitePost: request.method == .POST && !isSameSite)
        if let cookies { request.headers.add(name: "cookie", value: cookies) }
        let response = try await http.execute(request, timeout: .seconds(30))
        for field in response.headers["set-cookie"] {
            let isTaken = jar.take(field, host: host, isSecure: isSecure)
            #expect(isTaken, "a browser would not take \(field)")
        }
        let body = try await response.body.collect(upTo: 1 << 20)
        return Page(
            url: request.url, version: response.version, status: Int(response.status.code),
            headers: response.headers, body: String(buffer: body))
    }

    private static func origin(_ text: String) throws -> String {
        let url = try #require(URL(string: text))
        return "\(url.scheme ?? "")://\(url.host() ?? ""):\(url.port ?? 443)"
    }
}

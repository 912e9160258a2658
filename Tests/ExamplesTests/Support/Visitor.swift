// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing
import TestingSupport

/// A browser that follows redirects, with a cookie jar.
actor Visitor {
    /// What came back.
    struct Page: Sendable {
        let url: String
        let version: HTTPVersion
        let status: Int
        let headers: HTTPHeaders
        let body: String
    }

    private static let maximumRedirects = 10

    private let http: HTTPClient
    private var jar = CookieJar()

    /// A browser without cookies.
    init(_ http: HTTPClient) { self.http = http }

    /// Goes to a URL, and on to wherever it leads.
    /// - Returns: All responses, the last of which is no redirect.
    func visit(_ url: String) async throws -> [Page] {
        var pages = [try await send(HTTPClientRequest(url: url))]
        while let last = pages.last, let location = last.headers.first(name: "location") {
            try #require(pages.count <= Self.maximumRedirects, "\(pages.map(\.url))")
            let target = try #require(URL(string: location, relativeTo: URL(string: last.url))).absoluteString
            pages.append(try await send(HTTPClientRequest(url: target)))
        }
        return pages
    }

    /// Sends one request, with the cookies of its host.
    func send(_ prepared: HTTPClientRequest) async throws -> Page {
        var request = prepared
        let url = try #require(URL(string: request.url))
        let host = try #require(url.host())
        let isSecure = url.scheme == "https"
        let cookies = jar.field(
            host: host, path: url.path().isEmpty ? "/" : url.path(), isSecure: isSecure, isCrossSitePost: false)
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
}

// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    package import AsyncHTTPClient
    import Foundation
    import NIOCore
    package import NIOHTTP1
    import NIOPosix
    package import OIDCBrokerTesting
    import OpenIDConnect
    import Testing

    /// The browser: AsyncHTTPClient with a cookie jar. It follows nothing by itself, so that each step can be looked at.
    package actor CookieJarClient {
        /// What came back.
        package struct Page: Sendable {
            /// Where it came from.
            package let url: String
            /// The version of HTTP that it came by.
            package let version: HTTPVersion
            /// The status of the response.
            package let status: Int
            /// The fields of the response.
            package let headers: HTTPHeaders
            /// At most 1 MB.
            package let body: String

            /// `Location`, absolute or, as a path, of the same origin.
            package var location: String? {
                headers.first(name: "location").map { target in
                    guard target.hasPrefix("/") else { return target }
                    return URL(string: target, relativeTo: URL(string: url))?.absoluteString ?? target
                }
            }
        }

        private static let maximumRedirects = 10

        private let http: HTTPClient
        /// The cookies so far.
        package private(set) var jar = CookieJar()

        /// A new browser without cookies, over a client of ``makeHTTPClient(trusting:version:)``.
        package init(_ http: HTTPClient) {
            self.http = http
        }

        /// A client that trusts the certificate only, verifies names, and follows no redirect; shut it down.
        /// - Throws: An error of TLS if the certificate cannot be read.
        package static func makeHTTPClient(
            trusting certificate: DevelopmentCertificate, version: HTTPClient.Configuration.HTTPVersion
        ) throws -> HTTPClient {
            var configuration = HTTPClient.Configuration(
                tlsConfiguration: try certificate.clientConfiguration(), redirectConfiguration: .disallow)
            configuration.httpVersion = version
            // A thousand requests at a time wait for their turn on the connection, which counts as connecting.
            configuration.timeout.connect = .seconds(120)
            // The name is verified all the same; the listener is on IPv4 only.
            configuration.dnsOverride = ["localhost": "127.0.0.1"]
            return HTTPClient(
                eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton), configuration: configuration)
        }

        /// Goes to a URL, as a link of a page does or as one that was typed in.
        package func open(_ url: String, from initiator: Page? = nil) async throws -> Page {
            try await send(HTTPClientRequest(url: url), from: initiator)
        }

        /// Goes to a URL, and on to wherever it leads, by at most ten redirects.
        /// - Returns: All responses, the last of which is no redirect.
        package func visit(_ url: String) async throws -> [Page] {
            var pages = [try await open(url)]
            while let location = pages.last?.location {
                try #require(pages.count <= Self.maximumRedirects, "\(pages.map(\.url))")
                pages.append(try await open(location))
            }
            return pages
        }

        /// Posts the fields of a page's form.
        /// - Parameter action: Where they go, absolute or relative to the page.
        package func post(_ fields: [(String, String)], to action: String, of page: Page) async throws -> Page {
            let target = try #require(URL(string: action, relativeTo: URL(string: page.url))).absoluteString
            var request = HTTPClientRequest(url: target)
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
            request.headers.add(name: "origin", value: try Self.origin(page.url))
            request.body = .bytes(ByteBuffer(string: FormURLEncoding.encode(fields)))
            return try await send(request, from: page)
        }

        /// Puts the cookies back to what they were: what a thief would have kept.
        package func restore(_ jar: CookieJar) { self.jar = jar }

        /// Forgets all cookies.
        package func forget() { jar = CookieJar() }

        /// Sends a request as a navigation, with the cookies of its host.
        /// - Parameter initiator: The page that it comes from; `nil` for a URL that was typed in.
        package func send(_ prepared: HTTPClientRequest, from initiator: Page? = nil) async throws -> Page {
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
#endif

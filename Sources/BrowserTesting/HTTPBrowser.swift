// SPDX-License-Identifier: Apache-2.0

package import AsyncHTTPClient
import NIOCore
package import NIOHTTP1
import NIOPosix
import NIOSSL
import OpenIDConnect

/// An ``ActingBrowser`` on sockets, with TLS and full verification. It follows nothing by itself, so that each step can
/// be looked at. A page whose script goes somewhere else, as of a ``TabStorage``, is a redirect with status 303.
package actor HTTPBrowser {
    /// A response.
    package struct Page: Sendable {
        /// Where it came from.
        package let url: String
        /// The version of HTTP that it came by.
        package let version: HTTPVersion
        /// The status.
        package let status: Int
        /// The fields.
        package let headers: HTTPHeaders
        /// At most 1 MB.
        package let body: String

        /// `Location`, absolute or, as a path, of the same origin.
        package var location: String? {
            headers.first(name: "location").map { HTTPBrowser.resolve($0, against: url) }
        }
    }

    /// A failure of the browser.
    package enum Failure: Error {
        /// A URL without scheme and host.
        case unreadableURL
        /// More than ten redirects.
        case tooManyRedirects
    }

    private static let maximumRedirects = 10
    private static let maximumBytes = 1 << 20

    private let http: HTTPClient
    private var browser = ActingBrowser()
    private var tab = TabStorage()

    /// A new browser without cookies, over a client of `makeHTTPClient(trusting:version:)`.
    package init(_ http: HTTPClient) {
        self.http = http
    }

    /// A client that trusts the certificate of this PEM only, verifies names, and follows no redirect; shut it down.
    /// - Throws: An error of TLS if the certificate cannot be read.
    package static func makeHTTPClient(
        trusting certificatePEM: String, version: HTTPClient.Configuration.HTTPVersion = .automatic
    ) throws -> HTTPClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .fullVerification
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(certificatePEM.utf8)))
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        configuration.httpVersion = version
        // A thousand requests at a time wait for their turn on the connection, which counts as connecting.
        configuration.timeout.connect = .seconds(120)
        // The name is verified all the same; the listener is on IPv4 only.
        configuration.dnsOverride = ["localhost": "127.0.0.1"]
        return HTTPClient(
            eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton), configuration: configuration)
    }

    /// The cookies so far.
    package var jar: CookieJar { browser.jar }

    /// Puts the cookies back to what they were: what a thief would have kept.
    package func restore(_ jar: CookieJar) { browser.jar = jar }

    /// Forgets all cookies.
    package func forget() { browser.jar = CookieJar() }

    /// Goes to a URL, as a link of a page does or as one that was typed in.
    package func open(_ url: String, from initiator: Page? = nil) async throws -> Page {
        try await send(HTTPClientRequest(url: url), from: initiator?.url)
    }

    /// Goes to a URL as a link does of a page at another URL, which tells its origin as the referrer.
    package func open(_ url: String, referrer: String) async throws -> Page {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "referer", value: try Self.parts(referrer).origin + "/")
        return try await send(request, from: referrer)
    }

    /// Goes to a URL, and on to wherever it leads, by at most ten redirects.
    /// - Returns: All responses. The last one is not a redirect.
    package func visit(_ url: String) async throws -> [Page] {
        var pages = [try await open(url)]
        while let location = pages.last?.location {
            guard pages.count <= Self.maximumRedirects else { throw Failure.tooManyRedirects }
            pages.append(try await open(location))
        }
        return pages
    }

    /// Submits a form of a page, with the fields that a user fills in and the button's.
    package func submit(_ form: PageForm, of page: Page, _ fields: [(String, String)] = []) async throws -> Page {
        var request = HTTPClientRequest(url: Self.resolve(form.action, against: page.url))
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        request.headers.add(name: "origin", value: try Self.parts(page.url).origin)
        request.body = .bytes(ByteBuffer(string: FormURLEncoding.encode(form.hidden + fields)))
        return try await send(request, from: page.url)
    }

    /// Posts as a script of a page does to another origin: with the page's origin, and without cookies.
    package func fetch(_ url: String, json: [UInt8], from origin: String) async throws -> Page {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers = [
            "content-type": "application/json", "origin": origin, "sec-fetch-mode": "cors",
            "sec-fetch-dest": "empty", "sec-fetch-site": "same-site",
        ]
        request.body = .bytes(ByteBuffer(bytes: json))
        return try await response(to: request)
    }

    /// Sends a request as a navigation, with the cookies of its host.
    /// - Parameters:
    ///   - prepared: The request.
    ///   - initiator: The URL of the page that it comes from; `nil` for a URL that was typed in.
    package func send(_ prepared: HTTPClientRequest, from initiator: String? = nil) async throws -> Page {
        var request = prepared
        let target = try Self.parts(request.url)
        let fields = browser.fields(
            host: target.host, path: target.path.isEmpty ? "/" : target.path, isSecure: target.isHTTPS,
            isPost: request.method == .POST, from: try Self.site(of: target, for: initiator))
        for field in fields { request.headers.add(name: field.name, value: field.value) }
        let page = try await response(to: request)
        try browser.take(page.headers["set-cookie"], host: target.host, isSecure: target.isHTTPS)
        guard let next = tab.follow(html: page.body) else { return page }
        var headers = page.headers
        headers.replaceOrAdd(name: "location", value: next)
        return Page(url: page.url, version: page.version, status: 303, headers: headers, body: page.body)
    }

    private func response(to request: HTTPClientRequest) async throws -> Page {
        let response = try await http.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: Self.maximumBytes)
        return Page(
            url: request.url, version: response.version, status: Int(response.status.code),
            headers: response.headers, body: String(buffer: body))
    }

    private static func site(of target: AbsoluteURL, for initiator: String?) throws -> ActingBrowser.Site {
        guard let initiator else { return .none }
        let page = try parts(initiator)
        guard page.origin != target.origin else { return .sameOrigin }
        return page.scheme == target.scheme && page.host == target.host ? .sameSite : .crossSite
    }

    /// The part of a URL before its query, which may be too long for the parser.
    private static func parts(_ url: String) throws -> AbsoluteURL {
        guard let parts = AbsoluteURL(String(url.prefix { $0 != "?" && $0 != "#" })) else {
            throw Failure.unreadableURL
        }
        return parts
    }

    private static func resolve(_ reference: String, against base: String) -> String {
        guard reference.hasPrefix("/"), let origin = try? parts(base).origin else { return reference }
        return origin + reference
    }
}

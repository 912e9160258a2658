// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import JOSE
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import OpenIDConnect

/// A stand-in for a browser: TLS with full verification, and cookies. Redirects are returned rather than followed, so
/// that each can be checked.
struct BrowserStandIn: Sendable {
    /// A response.
    struct Response: Sendable {
        /// The URL of the request.
        var url: String
        /// The status.
        var status: Int
        /// The `Location` as an absolute URL; `nil` if there is none.
        var location: String?
        /// The body as text.
        var html: String
    }

    /// What a script of a page gets.
    struct Fetched: Sendable {
        /// The status.
        var status: Int
        /// The origin whose pages may read the response; `nil` if none may.
        var allowedOrigin: String?
        /// The body; empty if it is not JSON.
        var body: JSONObject
    }

    private static let maximumBytes = 1 << 20
    private static let timeout = TimeAmount.seconds(10)

    private let http: HTTPClient
    /// The cookies.
    var cookies = CookieJar()

    /// Creates a browser that trusts only this certificate. It must be closed.
    ///
    /// - Throws: An error of NIOSSL if the certificate cannot be read.
    init(certificatePEM: String) throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .fullVerification
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(certificatePEM.utf8)))
        http = HTTPClient(
            eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton),
            configuration: HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow))
    }

    /// Closes all connections.
    func close() async {
        try? await http.shutdown()
    }

    /// Opens a URL.
    /// - Parameter page: The page that leads there, which tells its origin; `nil` for none.
    mutating func open(_ url: String, from page: String? = nil) async throws -> Response {
        var request = HTTPClientRequest(url: url)
        if let origin = page.flatMap({ Self.parts($0)?.origin }) {
            request.headers.add(name: "referer", value: origin + "/")
        }
        return try await send(request, site: "same-site")
    }

    /// Submits a form of a page, with additional fields.
    mutating func submit(_ form: PageForm, of page: Response, _ fields: [(String, String)]) async throws -> Response {
        let target = Self.resolve(form.action, against: page.url)
        let origin = Self.parts(page.url)?.origin ?? "null"
        var request = HTTPClientRequest(url: target)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        request.headers.add(name: "origin", value: origin)
        let hidden = form.hidden.map { ($0.name, $0.value) }
        request.body = .bytes(ByteBuffer(string: FormURLEncoding.encode(hidden + fields)))
        return try await send(request, site: Self.parts(target)?.origin == origin ? "same-origin" : "same-site")
    }

    /// Posts JSON as a script of a page does to another origin: with the page's origin, and without cookies.
    func fetch(_ url: String, _ members: JSONObject, from origin: String) async throws -> Fetched {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers = [
            "content-type": "application/json", "origin": origin, "sec-fetch-mode": "cors",
            "sec-fetch-dest": "empty", "sec-fetch-site": "same-site",
        ]
        request.body = .bytes(ByteBuffer(bytes: members.serialized()))
        let response = try await http.execute(request, timeout: Self.timeout)
        let body = Array(try await response.body.collect(upTo: Self.maximumBytes).readableBytesView)
        return Fetched(
            status: Int(response.status.code),
            allowedOrigin: response.headers.first(name: "access-control-allow-origin"),
            body: (try? JSONParser.object(body, limits: JSONLimits(maximumBytes: Self.maximumBytes))) ?? JSONObject())
    }

    private mutating func send(_ prepared: HTTPClientRequest, site: String) async throws -> Response {
        var request = prepared
        let (host, path) = Self.parts(request.url).map { ($0.host, $0.path.isEmpty ? "/" : $0.path) } ?? ("", "/")
        // The fields that a browser sends when a page is opened, or reached by a link, form or redirect.
        request.headers.add(name: "sec-fetch-mode", value: "navigate")
        request.headers.add(name: "sec-fetch-dest", value: "document")
        request.headers.add(name: "sec-fetch-site", value: site)
        if let field = cookies.field(host: host, path: path) { request.headers.add(name: "cookie", value: field) }
        let response = try await http.execute(request, timeout: Self.timeout)
        for field in response.headers["set-cookie"] { cookies.take(field, host: host, path: path) }
        let body = try await response.body.collect(upTo: Self.maximumBytes)
        return Response(
            url: request.url,
            status: Int(response.status.code),
            location: response.headers.first(name: "location").map { Self.resolve($0, against: request.url) },
            html: String(buffer: body))
    }

    /// The part of a URL before its query, which may be too long for the parser.
    private static func parts(_ url: String) -> AbsoluteURL? {
        AbsoluteURL(String(url.prefix { $0 != "?" }))
    }

    private static func resolve(_ reference: String, against base: String) -> String {
        reference.hasPrefix("/") ? (parts(base)?.origin ?? "") + reference : reference
    }
}

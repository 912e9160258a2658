// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server, as an app calls it.
struct AccountServer: Sendable {
    /// The time limit of an exchange, in seconds.
    static let timeout: TimeInterval = 30
    /// The lengths of an API key, in characters of A-Z, a-z, 0-9, `-` and `_`.
    static let apiKeyLengths = 8...128

    private let origin: URLComponents
    private let apiKey: String
    /// The bundle ID, by which the server finds the client ID of the app at Apple; `nil` if the app has none.
    let bundleID: String?
    /// The link by which pages come back to the app; `nil` if it shows none.
    let appLink: AppLink?
    private let exchange: any Exchange

    /// - Parameters:
    ///   - url: Scheme, host and port: https, or http on a loopback host.
    ///   - apiKey: The API key of the app.
    ///   - bundleID: The bundle ID of the app; `nil` if it has none.
    ///   - appID: The ID that the link to the app follows from; `nil` if there is none.
    ///   - exchange: What sends requests.
    /// - Throws: ``AccountsError`` if the URL, the key or the ID cannot be used.
    init(url: URL, apiKey: String, bundleID: String?, appID: String? = nil, exchange: any Exchange) throws {
        guard let origin = Self.origin(of: url) else {
            throw AccountsError(
                .invalidArgument, message: "The server's URL is https, or http on a loopback host, without a path.")
        }
        guard Self.isAPIKey(apiKey) else {
            throw AccountsError(.invalidAPIKey, message: "It has 8 to 128 characters of A-Z, a-z, 0-9, - and _.")
        }
        appLink = appID.flatMap { AppLink(id: $0) }
        guard (appID == nil) == (appLink == nil) else {
            throw AccountsError(.invalidArgument, message: "No URL scheme follows from the appID.")
        }
        self.origin = origin
        self.apiKey = apiKey
        self.bundleID = bundleID
        self.exchange = exchange
    }

    /// Sends a request and returns the decoded response.
    /// - Throws: ``AccountsError``, or `CancellationError`.
    func call<Response: Decodable & Sendable>(
        _ operation: AccountOperation, _ body: some Encodable & Sendable
    ) async throws -> Response {
        let request = try request(operation, body)
        let response: WireResponse
        do {
            response = try await exchange.response(to: request)
        } catch {
            throw Self.failure(error)
        }
        return try response.decoded()
    }

    private func request(_ operation: AccountOperation, _ body: some Encodable) throws -> URLRequest {
        var components = origin
        components.percentEncodedPath = operation.rawValue
        components.percentEncodedQuery = "key=" + apiKey
        guard let url = components.url, let json = try? JSONEncoder().encode(body) else {
            throw AccountsError(.invalidArgument)
        }
        var request = URLRequest(url: url)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.timeoutInterval = Self.timeout
        request.httpShouldHandleCookies = false
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let bundleID { request.setValue(bundleID, forHTTPHeaderField: "X-Ios-Bundle-Identifier") }
        request.httpBody = json
        return request
    }

    /// The URL of the page that begins a sign-in.
    /// - Parameter pairs: The parameters beside the key, not encoded.
    /// - Throws: ``AccountsError`` if there is no such URL.
    func page(_ pairs: [(String, String)]) throws -> URL {
        var components = origin
        // Unlike the other path of the page, no setting moves it.
        components.percentEncodedPath = "/emulator/auth/handler"
        components.percentEncodedQuery =
            ([("apiKey", apiKey)] + pairs).map { $0.0 + "=" + PercentEncoding.encode($0.1) }.joined(separator: "&")
        guard let url = components.url else { throw AccountsError(.invalidArgument) }
        return url
    }

    /// What an app is told where there is no response. Nothing of the error is handed on but its number: it may hold
    /// the whole URL.
    private static func failure(_ error: any Error) -> any Error {
        if error is ResponseTooLong { return AccountsError(.unexpectedResponse) }
        if error is CancellationError || Task.isCancelled { return CancellationError() }
        let code = (error as? URLError)?.code.rawValue
        return AccountsError(.networkUnavailable, message: code.map { "URLError \($0)" })
    }

    // MARK: What the app gives

    private static func origin(of url: URL) -> URLComponents? {
        guard let given = URLComponents(url: url, resolvingAgainstBaseURL: true), let scheme = given.scheme,
            let host = given.host, !host.isEmpty, given.user == nil, given.password == nil, given.query == nil,
            given.fragment == nil, given.percentEncodedPath.isEmpty || given.percentEncodedPath == "/"
        else { return nil }
        let isSecure = scheme.caseInsensitiveCompare("https") == .orderedSame
        guard isSecure || (scheme.caseInsensitiveCompare("http") == .orderedSame && isLoopback(host)) else {
            return nil
        }
        return given
    }

    private static func isLoopback(_ host: String) -> Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains { host.caseInsensitiveCompare($0) == .orderedSame }
    }

    private static func isAPIKey(_ text: String) -> Bool {
        apiKeyLengths.contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }
}

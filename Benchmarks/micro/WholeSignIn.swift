// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import NIOHTTP1
import OpenIDConnect

/// Sign-ins of many users, each from an address of their own, through channel handler, router and limits, without
/// network.
struct WholeSignIn {
    /// The requests of a sign-in, in their order.
    enum Step {
        case start
        case callback
        case redemption
    }

    /// The number of sign-ins before those that are counted, in which caches are filled and code runs for the first
    /// time.
    private static let warmUp = 32

    static let startPath =
        "/__/auth/authorize?client_id=app&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&response_type=code"
        + "&scope=openid&state=s-0123456789&nonce=n-0123456789&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        + "&code_challenge_method=S256"
    /// The verifier of the challenge (RFC 7636 appendix B).
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    /// What browsers send with a navigation from another site.
    static let browserFields: HTTPHeaders = [
        "host": MicroBroker.authority,
        "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        "accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "accept-language": "en-US,en;q=0.5",
        "accept-encoding": "gzip, deflate, br, zstd",
        "upgrade-insecure-requests": "1",
        "sec-fetch-dest": "document",
        "sec-fetch-mode": "navigate",
        "sec-fetch-site": "cross-site",
    ]

    private let broker: MicroBroker
    private let endsSessions: Bool

    /// - Parameter endsSessions: Whether the provider has an end session endpoint, so that the callback leaves the ID
    ///   token with the browser.
    init(endsSessions: Bool = false) throws {
        broker = try MicroBroker(endsSessions: endsSessions)
        self.endsSessions = endsSessions
    }

    /// Does sign-ins up to a step, which is the one that is counted.
    /// - Returns: A value that depends on every sign-in.
    func run(_ iterations: Int, upTo last: Step) throws -> Int {
        var sum = 0
        for number in 0..<(Self.warmUp + iterations) {
            sum += try signIn(number, upTo: last, isCounted: number >= Self.warmUp)
        }
        return sum
    }

    private func signIn(_ number: Int, upTo last: Step, isCounted: Bool) throws -> Int {
        let connection = MicroConnection(to: broker, from: try Self.address(number))
        defer { connection.close() }

        let start = try connection.send(Self.get(Self.startPath), isCounted: isCounted && last == .start)
        guard let location = start.headerFields[.location],
            location.hasPrefix(ProviderStandIn.issuer + "/authorize?"),
            let cookie = start.headerFields[.setCookie]?.prefix(while: { $0 != ";" })
        else { throw MicroFailure("a start was answered \(start.status.code)") }
        guard last != .start else { return location.utf8.count }

        let target = try broker.provider.signIn(location)
        let callback = try connection.send(
            Self.get(target, cookie: String(cookie)), isCounted: isCounted && last == .callback)
        guard let handOff = callback.headerFields[.location], handOff.hasPrefix(MicroBroker.redirectURI + "?"),
            let code = try FormURLEncoding.parse(handOff.dropFirst(MicroBroker.redirectURI.count + 1)).value("code")
        else { throw MicroFailure("a callback was answered \(callback.status.code)") }
        let cookies = callback.headerFields[values: .setCookie]
        guard cookies.contains(where: { $0.utf8.count > 600 }) == endsSessions else {
            throw MicroFailure("a callback set \(cookies.count) cookies")
        }
        guard last != .callback else { return handOff.utf8.count }

        let redemption = try connection.send(
            Self.redemption(of: code.makeString()), isCounted: isCounted && last == .redemption)
        guard redemption.status == .ok else {
            throw MicroFailure("a redemption was answered \(redemption.status.code)")
        }
        return redemption.status.code
    }

    private static func get(_ target: String, cookie: String? = nil) -> [HTTPServerRequestPart] {
        var fields = browserFields
        if let cookie { fields.add(name: "cookie", value: cookie) }
        return [.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: fields)), .end(nil)]
    }

    private static func redemption(of code: String) -> [HTTPServerRequestPart] {
        let body = ByteBuffer(
            string: FormURLEncoding.encode([
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", MicroBroker.redirectURI),
                ("client_id", "app"), ("code_verifier", verifier),
            ]))
        let fields: HTTPHeaders = [
            "host": MicroBroker.authority, "accept": "application/json",
            "content-type": "application/x-www-form-urlencoded", "content-length": "\(body.readableBytes)",
        ]
        return [
            .head(HTTPRequestHead(version: .http1_1, method: .POST, uri: "/__/auth/token", headers: fields)),
            .body(body), .end(nil),
        ]
    }

    /// The address of a user, of IPv4 and IPv6 in turn. No two users share a network that is counted: each has a /48.
    static func address(_ number: Int) throws -> SocketAddress {
        let text =
            number.isMultiple(of: 2)
            ? "203.0.\(number >> 8 & 255).\(number & 255)" : "2001:db8:\(String(number, radix: 16))::1"
        return try SocketAddress(ipAddress: text, port: 50_000)
    }
}

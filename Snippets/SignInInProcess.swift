// SPDX-License-Identifier: Apache-2.0

//! A server that keeps its visitors signed in itself. In README.md and the page SignInInProcess.
// snippet.hide

import HTTPTypes
import Logging
import OIDCBroker
import OIDCBrokerConfiguration
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization

func makeBroker(
    _ configuration: BrokerConfiguration, _ transport: any ProviderTransport, _ logger: Logger
) throws -> Broker {
    // snippet.show
    let sessions = Sessions()
    let broker = try Broker(
        configuration: configuration, transport: transport,
        signInHandlers: ["site": SignInHandler { sessions.begin($0) }], logger: logger)
    // snippet.hide
    return broker
}

// snippet.show
/// The sessions of the visitors who signed in, by the value of their cookie. They end after a day.
final class Sessions: Sendable {
    private static let cookie = "__Host-session="
    private let sessions = Mutex<[String: (user: String, end: ContinuousClock.Instant)]>([:])

    /// Begins the session of a user whose sign-in the broker verified, and redirects to the page that they asked for.
    func begin(_ signIn: CompletedSignIn) -> SignInResponse {
        let id = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: "-")
        let user = signIn.claims.string("name") ?? signIn.subject
        sessions.withLock { $0[id] = (user, .now + .seconds(86_400)) }
        return .redirect(headerFields: [.setCookie: "\(Self.cookie)\(id); Path=/; HttpOnly; Secure; SameSite=Lax"])
    }

    /// Returns the user of a request. Cookies are compared by their bytes: Swift may compare a stranger's text for
    /// seconds.
    func user(cookies: [String]) -> String? {
        let pairs = cookies.flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
            .map { $0.drop { $0 == UInt8(ascii: " ") } }
        guard let pair = pairs.first(where: { $0.starts(with: Self.cookie.utf8) }),
            pair.count < 100, pair.allSatisfy({ $0 < 0x80 })
        else { return nil }
        let id = String(decoding: pair.dropFirst(Self.cookie.utf8.count), as: UTF8.self)
        return sessions.withLock { $0[id].flatMap { $0.end > .now ? $0.user : nil } }
    }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
public import OIDCBroker
import OpenIDConnect
import Synchronization

/// The sessions of the visitors who signed in, by the value of their cookie. They end after a day.
public final class Sessions: Sendable {
    private static let cookie = "__Host-session="
    private let sessions = Mutex<[String: (person: String, end: ContinuousClock.Instant)]>([:])

    /// Creates an empty list of sessions.
    public init() {}

    /// Begins the session of a person whose sign-in the broker verified, and sends them where they wanted to go.
    public func begin(_ signIn: CompletedSignIn) -> SignInResponse {
        let id = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: "-")
        let person = signIn.claims.string("name") ?? signIn.subject
        sessions.withLock { $0[id] = (person, .now + .seconds(86_400)) }
        return .redirect(headerFields: [.setCookie: "\(Self.cookie)\(id); Path=/; HttpOnly; Secure; SameSite=Lax"])
    }

    /// Returns the person of a request. Its cookies are compared by their bytes: text of a stranger can be made so that
    /// Swift compares it for seconds.
    public func person(cookies: [String]) -> String? {
        let pairs = cookies.flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
            .map { $0.drop { $0 == UInt8(ascii: " ") } }
        guard let pair = pairs.first(where: { $0.starts(with: Self.cookie.utf8) }),
            pair.count < 100, pair.allSatisfy({ $0 < 0x80 })
        else { return nil }
        let id = String(decoding: pair.dropFirst(Self.cookie.utf8.count), as: UTF8.self)
        return sessions.withLock { $0[id].flatMap { $0.end > .now ? $0.person : nil } }
    }

    /// Returns what the page says to the visitor who sent a request.
    public func greeting(cookies: [String]) -> String {
        person(cookies: cookies).map { "Hello, \($0)!\n" } ?? "Hello, world! Sign in at /__/auth/login/site\n"
    }
}

// SPDX-License-Identifier: Apache-2.0

//! A server that keeps its visitors signed in itself. In README.md and the page SignInInProcess.
// snippet.hide

import HTTPTypes
import Logging
import OIDCBroker
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
/// The sessions of the visitors who signed in, by the value of their cookie.
final class Sessions: Sendable {
    private let people = Mutex<[String: String]>([:])

    /// Begins the session of a person whose sign-in the broker verified, and sends them where they wanted to go.
    func begin(_ signIn: CompletedSignIn) -> SignInResponse {
        let id = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: "-")
        people.withLock { $0[id] = signIn.claims.string("name") ?? signIn.subject }
        return .redirect(headerFields: [.setCookie: "session=\(id); Path=/; HttpOnly; Secure; SameSite=Lax"])
    }

    /// Returns the person of a request; `nil` if there is none.
    func person(cookies: [String]) -> String? {
        let pairs = cookies.flatMap { $0.split(separator: ";") }
        let id = pairs.compactMap { pair in
            pair.drop { $0 == " " }.hasPrefix("session=") ? pair.drop { $0 != "=" }.dropFirst() : nil
        }.first
        return id.flatMap { id in people.withLock { $0[String(id)] } }
    }
}

// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The URL that takes an event to an app on iOS: `<scheme>://firebaseauth/link?deep_link_id=<callback>`.
///
/// The SDK compares everything in front of the query, and reads `authType` and `eventId` of the callback URL before it
/// looks for a result, so an error has them too. Nothing is ever requested at the callback URL.
struct DeepLink: Sendable {
    /// The URL.
    let text: String

    /// - Parameters:
    ///   - event: The event.
    ///   - scheme: The URL scheme that the app registered.
    ///   - publicURL: The URL of the broker: its origin and the prefix of its paths.
    init(_ event: HandlerEvent, scheme: String, publicURL: String) {
        let callback = FormURLEncoding.encode(event.appPairs(publicURL: publicURL), behind: publicURL + "/callback?")
        text = FormURLEncoding.encode([("deep_link_id", callback)], behind: scheme + "://firebaseauth/link?")
    }
}

extension HandlerEvent {
    /// The URL that takes the event to an app on the device; `nil` if it goes to a page.
    /// - Parameters:
    ///   - destination: Where the event goes.
    ///   - publicURL: The URL of the broker: its origin and the prefix of its paths.
    func appURL(to destination: HandlerDestination, publicURL: String) -> String? {
        switch destination {
        case .ios(let scheme): DeepLink(self, scheme: scheme, publicURL: publicURL).text
        case .android(let package):
            AndroidIntent(self, package: package, publicURL: publicURL, fallbackURL: publicURL + "/handler").text
        case .popup, .redirect: nil
        }
    }

    /// The values that an app on iOS or Android gets, in which the URL of a ticket is `link`.
    /// - Parameter publicURL: The URL of the broker: its origin and the prefix of its paths.
    func appPairs(publicURL: String) -> [(String, String)] {
        var pairs = [("authType", authType.rawValue)] + eventIDPairs
        switch result {
        case .ticket(let ticket, _):
            pairs.append(("link", ticket.url(at: publicURL + "/handler")))
        case .failure(let failure):
            let error = String(validating: failure.members.serialized(), as: UTF8.self) ?? ""
            pairs.append(("firebaseError", error))
        }
        return pairs
    }
}

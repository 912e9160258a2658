// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerPages

/// Where the SDK that began a start gets an event: all that must be known of a start before its other mistakes are the
/// app's to show.
struct HandlerEventTarget: Sendable {
    /// What the start is for.
    let authType: AuthType
    /// Where the result goes.
    let destination: HandlerDestination
    /// The page of a redirect; `nil` for anything else.
    let page: RedirectURL?
    /// What the SDK finds its operation by, without control characters; always there for an app on iOS or Android.
    let eventID: WireText?

    /// Reads what a start whose key is known says about it.
    /// - Throws: The first parameter at fault: what is asked for, by which SDK, and then where the result goes.
    init(_ query: HandlerQuery, for app: SDKApp) throws(HandlerStartError) {
        guard let authType = AuthType(wire: try query.required(.authType)) else {
            throw HandlerStartError(.unknown, .authType)
        }
        if app.kind == .web, let version = query[.version].flatMap({ SDKVersion($0) }), version < .oldest {
            throw HandlerStartError(.tooOld, .version)
        }
        self.authType = authType
        destination = try HandlerDestination(query, authType.delivery, for: app)
        page = if case .redirect = destination { try Self.page(query) } else { nil }
        // Without it no SDK on a device finds the operation that waits.
        if authType.delivery == .app { _ = try query.required(.eventID) }
        eventID = try query.value(.eventID, atMost: HandlerStart.longestEventID)
    }

    private static func page(_ query: HandlerQuery) throws(HandlerStartError) -> RedirectURL? {
        guard let text = try query.value(.redirectURL, atMost: RedirectURL.maximumLength) else { return nil }
        guard let page = RedirectURL(text) else { throw HandlerStartError(.invalid, .redirectURL) }
        return page
    }

    /// Tells the SDK why nothing begins; `nil` if the configuration says no more how.
    /// - Parameters:
    ///   - failure: Why.
    ///   - broker: What may be used of the broker.
    ///   - publicURL: The URL of the broker: its origin and the prefix of its paths.
    ///   - language: The language of a page; `nil` for that of the user agent.
    func response(
        to failure: HandlerFailure, with broker: BrokerAccess, publicURL: String, language: Language?
    ) -> BrokerResponse? {
        let event = HandlerEvent(authType, eventID: eventID, .failure(failure))
        return switch destination {
        case .popup(let origin):
            broker.page(posting: event, to: origin, handlerURL: publicURL + "/handler", language: language)
        case .redirect:
            page.map { broker.seeOther($0.location(fragment: event.fragment(pageFragment: $0.fragment))) }
        case .ios, .android: event.appURL(to: destination, publicURL: publicURL).map { broker.seeOther($0) }
        }
    }
}

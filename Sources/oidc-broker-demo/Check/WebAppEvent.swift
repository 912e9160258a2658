// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The result of a sign-in in a browser, as a web app gets it from the broker: the event that the Firebase SDK calls
/// `AuthEvent`, as far as the check needs it.
struct WebAppEvent: Sendable, Hashable {
    /// What was begun, such as `signInViaPopup`.
    var type: String
    /// The ID that the app gave to it; `nil` if it gave none.
    var eventID: String?
    /// The `requestUri` with which it is redeemed, which has the ticket.
    var requestURI: String
    /// The session ID that the ticket was issued for.
    var sessionID: String

    /// Reads the data block of a popup's page.
    ///
    /// - Returns: The event, and the only origin to which the page posts it; `nil` if there is no such block, or the event
    ///   is an error.
    static func read(html: String) -> (event: WebAppEvent, origin: String)? {
        guard let start = html.firstRange(of: "<script type=\"application/json\"")?.upperBound,
            let end = html[start...].firstIndex(of: ">"),
            let block = try? JSONParser.object(
                Array(html[html.index(after: end)...].prefix { $0 != "<" }.utf8), limits: JSONLimits(maximumBytes: 8192)
            ),
            let origin = block["origin"]?.text?.ascii(atMost: 256),
            let members = block["authEvent"]?.objectValue, members["error"]?.objectValue == nil,
            let type = members["type"]?.text?.ascii(atMost: 64),
            let requestURI = members["urlResponse"]?.text?.ascii(atMost: 1024),
            let sessionID = members["sessionId"]?.text?.ascii(atMost: 512)
        else { return nil }
        let event = WebAppEvent(
            type: type, eventID: members["eventId"]?.text?.ascii(atMost: 128), requestURI: requestURI,
            sessionID: sessionID)
        return (event, origin)
    }

    /// The members of `accounts:signInWithIdp` that redeem the ticket.
    var members: JSONObject {
        [
            "requestUri": .string(requestURI), "sessionId": .string(sessionID), "returnIdpCredential": true,
            "returnSecureToken": true,
        ]
    }
}

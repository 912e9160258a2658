// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The result of a login at the handler page as the SDK of the app gets it: a ticket, or why there is none.
struct HandlerEvent: Sendable {
    /// What a login ended in.
    enum Result: Sendable {
        /// A ticket.
        /// - Parameter sessionID: What the app sends with the ticket; `nil` if only the app knows it.
        case ticket(SignInTicket, sessionID: String?)
        /// No ticket.
        case failure(HandlerFailure)
    }

    /// What the login was for.
    let authType: AuthType
    /// What the SDK finds its operation by; `nil` if it sent nothing.
    let eventID: WireText?
    /// What the login ended in.
    let result: Result

    init(_ authType: AuthType, eventID: WireText?, _ result: Result) {
        self.authType = authType
        self.eventID = eventID
        self.result = result
    }

    /// The event that the SDK for JavaScript takes, with all of its members.
    /// - Parameter handlerURL: The URL of the handler page.
    func members(handlerURL: String) -> JSONObject {
        var members: JSONObject = [
            "type": .string(authType.rawValue), "eventId": eventID.map { JSONValue.text($0) } ?? JSONValue.null,
            "urlResponse": .null,
            "sessionId": .null, "postBody": .null, "tenantId": .null, "error": .null,
        ]
        switch result {
        case .ticket(let ticket, let sessionID):
            members["urlResponse"] = .string(ticket.url(at: handlerURL))
            members["sessionId"] = sessionID.map { JSONValue.string($0) } ?? JSONValue.null
        case .failure(let failure):
            members["error"] = .object(failure.members)
        }
        return members
    }

    /// The pair `eventId`; empty if there is none.
    var eventIDPairs: [(String, String)] { eventID.map { [("eventId", $0.makeString())] } ?? [] }

    /// The fragment with which a page gets the event, without `#`: pairs like those of a form.
    ///
    /// The first pair is `oidc-broker=ticket` or `oidc-broker=error`. The last one is `fragment`, if the page had a
    /// fragment of its own.
    /// - Parameter pageFragment: The fragment of the page without `#`; `nil` if it had none.
    func fragment(pageFragment: String?) -> String {
        var pairs: [(String, String)] = []
        switch result {
        case .ticket(let ticket, _):
            pairs += [("oidc-broker", "ticket"), (SignInTicket.parameter, ticket.text)]
        case .failure(let failure):
            pairs += [("oidc-broker", "error"), ("code", failure.code.rawValue), ("message", failure.message)]
        }
        pairs.append(("type", authType.rawValue))
        pairs += eventIDPairs
        if let pageFragment { pairs.append(("fragment", pageFragment)) }
        return FormURLEncoding.encode(pairs)
    }
}

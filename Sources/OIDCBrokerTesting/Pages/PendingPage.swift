// SPDX-License-Identifier: Apache-2.0

/// A page that the user agent is redirected to after a form, so that going back or reloading never sends a form again.
package enum PendingPage<Request: Sendable, Person: Sendable>: Sendable {
    /// The sign-in page again, after a wrong password.
    case signIn(Request, email: String)
    /// The consent page.
    case consent(Request, Person)
}

extension SentResponse {
    /// The lifetime of a page with a ticket, in seconds.
    package static let ticketLifetime: Int64 = 600

    /// Returns a redirect to the page with a ticket, at the path of the form.
    package static func redirect(from path: String, toPageWith ticket: String) -> SentResponse {
        redirect(to: path + "?page=" + ticket)
    }
}

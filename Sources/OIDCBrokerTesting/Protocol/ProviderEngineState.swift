// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDConnect
import OpenIDRelyingParty

/// The state of a provider or mock as a value, which validates requests without I/O, clock or lock.
package protocol ProviderEngineState: Sendable {
    associatedtype Person: PasswordAccount & Sendable
    associatedtype Misbehavior: Sendable
    /// A valid authorization request.
    associatedtype Requested: Sendable

    var settings: ProviderSettings<Person, Misbehavior> { get set }
    /// The issuer, which is set when the port is known, before the first request is accepted.
    var issuer: String { get set }
    var recorded: [OpenIDProvider.RecordedRequest] { get set }
    /// The pages that wait for a user, by ticket.
    var tickets: ExpiringValues<PendingPage<Requested, Person>> { get set }

    /// Validates a request.
    mutating func plan(for request: ReceivedRequest) -> ResponsePlan

    /// Passes a valid authorization request on, and responds to an invalid one.
    mutating func validated(
        _ request: ReceivedRequest, _ parameters: Parameters?, _ proceed: (inout Self, Requested) -> ResponsePlan
    ) -> ResponsePlan

    /// Returns the page on which a user signs in.
    func signInPage(_ requested: Requested, email: String?, hasFailed: Bool) -> ProviderPage

    /// Returns the page on which a user allows the request.
    func consentPage(_ requested: Requested, person: Person, ticket: String) -> ProviderPage

    /// Grants what was requested.
    ///
    /// - Parameter form: The form of the page on which the user allowed it; `nil` without interaction.
    mutating func issue(_ requested: Requested, person: Person, form: Parameters?) -> ResponsePlan

    /// Responds that the user did not allow the request.
    func denied(_ requested: Requested) -> ResponsePlan
}

/// The plan for a request.
package enum ResponsePlan: Sendable {
    /// Send this response.
    case response(SentResponse)
    /// Sign tokens outside of the lock, and send the response with them.
    case sign(@Sendable () -> SentResponse)

    /// Shows a page with an error that cannot be returned to a client.
    package static func failure(_ message: String) -> ResponsePlan {
        .response(.page(ProviderPages.failure(message), status: 400))
    }

    fileprivate static var endedPage: ResponsePlan {
        failure("This page was used already, or is too old. Start again in the app.")
    }
}

extension ProviderEngineState {
    /// The number of recorded requests at which the older half is removed.
    private static var recordedLimit: Int { 20_000 }

    package var misbehavior: Misbehavior { settings.misbehavior }

    package var now: Int64 { settings.clock.now() }

    /// Returns a new code, token or ticket of 256 bits.
    package static func randomValue() -> String { Base64URL.encode(SecureRandom.bytes(32)) }

    mutating func record(_ request: ReceivedRequest) {
        guard settings.recordsRequests else { return }
        if recorded.count == Self.recordedLimit { recorded.removeFirst(Self.recordedLimit / 2) }
        recorded.append(OpenIDProvider.RecordedRequest(request))
    }

    // MARK: The authorization endpoint

    /// Handles a GET request: an authorization request, or the page that a form was redirected to.
    package mutating func authorize(_ request: ReceivedRequest) -> ResponsePlan {
        guard let ticket = request.query?.first("page") else { return authorize(request, request.query) }
        switch tickets.value(for: ticket, now: now) {
        case .signIn(let requested, let email):
            return .response(.page(signInPage(requested, email: email, hasFailed: true)))
        case .consent(let requested, let person):
            return .response(.page(consentPage(requested, person: person, ticket: ticket)))
        case nil: return .endedPage
        }
    }

    private mutating func authorize(_ request: ReceivedRequest, _ parameters: Parameters?) -> ResponsePlan {
        validated(request, parameters) { state, requested in
            if let person = state.settings.automaticPerson {
                return state.issue(requested, person: person, form: nil)
            }
            return .response(.page(state.signInPage(requested, email: nil, hasFailed: false)))
        }
    }

    /// Handles a POST request: the form of one of the pages, or an authorization request (OpenID Connect Core 1.0 section
    /// 3.1.2.1).
    package mutating func submit(_ request: ReceivedRequest) -> ResponsePlan {
        guard let form = request.form else { return .failure("The form could not be read.") }
        if let ticket = form.first("ticket") {
            guard case .consent(let requested, let person) = tickets.take(ticket, now: now) else { return .endedPage }
            return decide(requested, person: person, form)
        }
        guard let text = form.first("authorization_request") else { return authorize(request, form) }
        let email = form.first("email") ?? ""
        let password = form.first("password") ?? ""
        return validated(request, try? FormURLEncoding.parse(text.utf8)) { state, requested in
            guard let person = state.settings.people.account(email: email, password: password) else {
                return state.redirect(request, to: .signIn(requested, email: email))
            }
            // A program decides in the same request; a user is asked on another page.
            if form.first("decision") != nil { return state.decide(requested, person: person, form) }
            return state.redirect(request, to: .consent(requested, person))
        }
    }

    private mutating func redirect(
        _ request: ReceivedRequest, to page: PendingPage<Requested, Person>
    ) -> ResponsePlan {
        let (ticket, now) = (Self.randomValue(), now)
        tickets.insert(page, for: ticket, expiry: now + SentResponse.ticketLifetime, now: now)
        return .response(.redirect(from: request.path, toPageWith: ticket))
    }

    private mutating func decide(_ requested: Requested, person: Person, _ form: Parameters) -> ResponsePlan {
        form.first("decision") == "allow"
            ? issue(requested, person: person, form: form) : denied(requested)
    }
}

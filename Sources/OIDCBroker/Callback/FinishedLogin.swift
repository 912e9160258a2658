// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

/// What a user agent is told that comes back with a login which has returned already. It says what happened, and changes
/// nothing.
struct FinishedLogin: RequestHandling {
    let context: RequestContext
    let state: LoginState
    private var responses: CallbackResponses { CallbackResponses(context: context) }

    /// Returns how the login ended: the person canceled it, or signed in. This only determines the words of a page, so an
    /// unavailable store counts as the latter.
    func outcome() -> EventLoopFuture<Outcome> {
        let key = SingleUseKey(.canceledLogin, state.loginID)
        return briefStore.isClaimed(key, on: eventLoop).flatMapThrowing { $0 ? .cancelled : .alreadyFinished }
            .recover { _ in .alreadyFinished }.future(on: eventLoop)
    }

    /// Responds to a user agent with the cookie of the login. A hand-off that still waits for the person is shown again.
    func respond(to login: CallbackLogin) -> EventLoopFuture<BrokerResponse> {
        let held = HeldHandOff(loginID: state.loginID, binding: login.binding)
        return briefStore.read(held.key, on: eventLoop).recover { _ in nil }.future(on: eventLoop)
            .flatMap { sealed in
                guard let delivery = sealed.flatMap({ held.open($0) }) else {
                    return outcome().map {
                        responses.page($0, login.known)
                    }
                }
                responses.log(.continuing, login.known)
                return eventLoop.makeSucceededFuture(
                    .page(delivery.page(for: login, in: context))
                        .noting(Outcome.continuing.label, login.reference))
            }
    }
}

extension HandOffDelivery {
    /// The maximum number of Unicode scalars of the account that a page shows.
    private static let longestAccount = 100

    /// The page on which the person continues or cancels.
    func page(for login: CallbackLogin, in context: RequestContext) -> Page {
        context.pages(in: login.state.requirements.language).proceed(
            appName: login.app.configuration.displayedName, account: account,
            destination: destination.redirectURI.displayed,
            action: context.snapshot.paths[.continue], login: Base64URL.encode(login.state.loginID))
    }

    /// The e-mail address or the name of the person who signed in; `nil` if the app gets neither. It has no characters
    /// that are invisible or change the direction of the text around them.
    private var account: String? {
        guard let claims = record.claims.object, let text = claims["email"]?.text ?? claims["name"]?.text else {
            return nil
        }
        let visible = text.makeString().unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
            default: true
            }
        }
        let account = String(String.UnicodeScalarView(visible.prefix(Self.longestAccount)))
        return account.isEmpty ? nil : account
    }
}

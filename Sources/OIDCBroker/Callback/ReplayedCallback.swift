// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDRelyingParty
import SingleUse

/// What a user agent is told that comes back with a login which has returned already. It says what happened, and changes
/// nothing.
struct ReplayedCallback: RequestHandling {
    let context: RequestContext
    let state: LoginState
    private var responses: CallbackResponses { CallbackResponses(context: context) }

    /// Returns how the login ended: the user canceled it, or signed in. This only determines the words of a page, so an
    /// unavailable store counts as the latter.
    func outcome() -> Eventual<Outcome> {
        let key = SingleUseKey(.canceledLogin, state.loginID)
        return briefStore.isClaimed(key, on: eventLoop).flatMapThrowing { $0 ? .cancelled : .alreadyFinished }
            .recover { _ in .alreadyFinished }
    }

    /// Responds to a user agent with the cookie of the login. A hand-off that still waits for the user is shown again.
    func respond(to login: CallbackLogin) -> Eventual<BrokerResponse> {
        let held = PendingHandOff(loginID: state.loginID, binding: login.binding)
        return briefStore.read(held.key, on: eventLoop).recover { _ in nil }
            .flatMap { sealed in
                guard let signIn = sealed.flatMap({ held.open($0) }) else {
                    return outcome().flatMapThrowing { responses.page($0, login.description) }
                }
                responses.log(.continuing, login.description)
                let page =
                    switch signIn {
                    case .ofApp(let delivery): delivery.page(for: login, in: context)
                    case .ofExtension(let signIn): signIn.page(state.loginID, in: context)
                    }
                return .value(.page(page).noting(Outcome.continuing.label, login.reference))
            }
    }
}

extension HandOffDelivery {
    /// The page on which the user continues or cancels.
    func page(for login: CallbackLogin, in context: RequestContext) -> Page {
        context.pages(in: login.state.requirements.language).proceed(
            appName: login.recipient.displayedName, account: account,
            destination: destination.redirectURI.displayed, loginID: login.state.loginID, in: context)
    }

    /// The email or the name of the user who signed in; `nil` if the app gets neither.
    private var account: String? {
        guard let claims = record.claims.object, let text = claims["email"]?.text ?? claims["name"]?.text else {
            return nil
        }
        return DisplayedAccount.text(text.makeString())
    }
}

extension Pages {
    /// Returns the page that asks the user whether to continue to an app on the device.
    func proceed(
        appName: String, account: String?, destination: String, loginID: [UInt8], in context: RequestContext
    ) -> Page {
        proceed(
            appName: appName, account: account, destination: destination, action: context.snapshot.paths[.continue],
            login: Base64URL.encode(loginID))
    }
}

/// What a page shows of the user who signed in.
enum DisplayedAccount {
    /// The maximum number of Unicode scalars.
    private static let longest = 100

    /// Returns an email or a name without characters that are invisible or change the direction of the text
    /// around them; `nil` if nothing is left.
    static func text(_ account: String) -> String? {
        let visible = account.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
            default: true
            }
        }
        let shown = String(String.UnicodeScalarView(visible.prefix(longest)))
        return shown.isEmpty ? nil : shown
    }
}

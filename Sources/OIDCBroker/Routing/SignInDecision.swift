// SPDX-License-Identifier: Apache-2.0

package import Admission
package import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
package import OpenIDRelyingParty

/// A verified sign-in of an app with accounts, about which an extension decides.
package struct SignInQuestion: Sendable {
    /// What was verified.
    package let signIn: VerifiedSignIn
    /// The client ID of the app, for limits.
    package let app: String
    /// Whether the app presented the credential, and no browser signed in.
    package let isNative: Bool
    /// The ID of the provider that clients know.
    package let providerID: String
    /// Whether the provider sends the name of a user beside the ID token, as Apple does.
    package let sendsUser: Bool
    /// The name that came beside the ID token, or with an earlier one. No signature covers it; `nil` if there is none.
    package let name: String?
    /// The address of the client, for limits; `nil` if it is not known.
    package let client: IPAddress?
    /// The claims by which apps decide, which are kept with the identity in place of earlier ones; `nil` if they cannot be.
    package let keptClaims: JSONObject?

    /// Creates a sign-in.
    package init(
        _ signIn: VerifiedSignIn, at app: String, isNative: Bool, providerID: String, sendsUser: Bool, name: String?,
        client: IPAddress? = nil, keptClaims: JSONObject? = nil
    ) {
        self.signIn = signIn
        self.app = app
        self.isNative = isNative
        self.providerID = providerID
        self.sendsUser = sendsUser
        self.name = name
        self.client = client
        self.keptClaims = keptClaims
    }
}

/// What an extension decided about a sign-in. Only what is allowed is handed off.
package enum SignInDecision: Sendable, Hashable {
    /// The user may sign in. The account is the identifier that the app gets; `nil` if it gets none.
    case allowed(account: String?, holder: ImportedHolder? = nil)
    /// The user may not sign in: the account is disabled, or there is none and none may be made.
    case disabled
    /// The user has to do something first, such as to sign in to another account and link this provider there.
    case needsInteraction
    /// It cannot be decided now.
    case unavailable

    /// The part of an imported account, which has the user's email and no identity, in the sign-in.
    package enum ImportedHolder: Sendable, Hashable {
        /// The user signed in to it by the email.
        case entered
        /// It keeps the email, and the user has another account. The identifier is that of the imported one, escaped.
        case kept(String)
    }
}

/// How a sign-in of an app with accounts goes on.
enum DecidedSignIn: Sendable {
    /// It is handed off, with the identifier of the account.
    case entered(account: String?)
    /// It ends.
    case ended(Outcome)
}

extension RequestHandling {
    /// Asks the extension about a verified sign-in of an app with accounts. It does not fail.
    /// - Parameters:
    ///   - claims: The configured claims of the sign-in.
    ///   - name: The name that came beside the ID token; `nil` if there is none.
    ///   - client: The address of the client; `nil` if it is not known or speaks for many users.
    ///   - isNative: Whether the app presented the credential.
    ///   - reference: The reference of the login; `nil` if there is none.
    func enterAccount(
        _ signIn: VerifiedSignIn, _ claims: PickedClaims, at provider: ProviderEntry, app: AppEntry,
        name: UnverifiedName?, client: IPAddress?, isNative: Bool = false, reference: PageReference? = nil
    ) -> Eventual<DecidedSignIn> {
        // A configuration with such an app is refused without an extension that decides about sign-ins.
        guard let decider = snapshot.extensions.decider else {
            return .value(.ended(.accountsUnavailable("no accounts are configured")))
        }
        let asked = SignInQuestion(
            signIn, at: app.clientID, isNative: isNative, providerID: provider.id,
            sendsUser: provider.behavior.sendsUser, name: name?.fullName, client: client,
            keptClaims: claims.kept)
        return Eventual.future(decider.decide(about: asked, on: eventLoop).hop(to: eventLoop)).flatMapThrowing {
            decision -> DecidedSignIn in
            switch decision {
            case .allowed(let account, let holder):
                noteHolder(holder, account, of: signIn, at: provider, app: app, reference: reference)
                return .entered(account: account)
            case .disabled: return .ended(.accountRefused)
            case .needsInteraction: return .ended(.accountNeedsInteraction)
            case .unavailable: return .ended(.accountsUnavailable("it was not decided"))
            }
        }.recover { error in
            // The description of another part's error may contain anything.
            .ended(.accountsUnavailable("\(type(of: error))"))
        }.flatMapThrowing { decided in
            record(decided, of: signIn, at: provider, app: app, reference: reference)
            return decided
        }
    }

    /// Counts and audits the decision.
    private func record(
        _ decided: DecidedSignIn, of signIn: VerifiedSignIn, at provider: ProviderEntry, app: AppEntry,
        reference: PageReference?
    ) {
        let outcome: AccountOperationOutcome
        var account: String?
        switch decided {
        case .entered(let entered): (outcome, account) = (.succeeded, entered)
        case .ended(.accountNeedsInteraction): outcome = .conflict
        case .ended(.accountRefused): outcome = .refused
        case .ended: outcome = .unavailable
        }
        metrics.accountOperations.increment("sign_in", outcome.rawValue)
        recordEvent(.accountSignIn, outcome, of: signIn, at: provider, app: app, reference: reference, account)
    }

    /// Records what an imported account had to do with a sign-in.
    private func noteHolder(
        _ holder: SignInDecision.ImportedHolder?, _ account: String?, of signIn: VerifiedSignIn,
        at provider: ProviderEntry, app: AppEntry, reference: PageReference?
    ) {
        switch holder {
        case .entered:
            recordEvent(.accountLink, .succeeded, of: signIn, at: provider, app: app, reference: reference, account)
        case .kept(let imported): context.noteImportedHolder(of: account ?? "-", imported)
        case nil: break
        }
    }

    private func recordEvent(
        _ kind: AuditEvent.Kind, _ outcome: AccountOperationOutcome, of signIn: VerifiedSignIn,
        at provider: ProviderEntry, app: AppEntry, reference: PageReference?, _ account: String?
    ) {
        audit.record(
            AuditEvent(
                kind, outcome: outcome.rawValue, provider: provider.id, app: app.configuration.name,
                subject: SubjectIdentifier.derive(issuer: signIn.issuer, subject: signIn.subject),
                client: context.client, reference: reference, account: account))
    }
}

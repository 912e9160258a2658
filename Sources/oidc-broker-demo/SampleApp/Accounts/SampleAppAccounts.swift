// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOHTTP1
import OIDCBroker
import OIDCBrokerPages
import OpenIDRelyingParty

/// The part of the sample app that shows a user's account at the broker, and what an app can do with it.
///
/// It does what an app on a device does: it gets a credential from a provider's sheet and calls the broker over HTTPS.
/// The tokens stay in the session; the browser gets pages only.
///
/// | path | response |
/// | --- | --- |
/// | `GET /account` | the page "Your account" |
/// | `POST /account/…` | an ``AccountAction``, then a redirect to the page |
struct SampleAppAccounts: Sendable {
    /// The path of the page.
    static let path = "/account"
    /// The remaining lifetime of an ID token below which it is renewed before it is used, in seconds.
    private static let leastRemaining: Int64 = 60

    /// The calls of the broker.
    let wire: AccountsWire
    /// The sheets of the providers.
    let sheet: SignInSheet

    private let origin: String
    private let sessions = AccountSessions()
    private let clock: any UnixClock

    /// Creates the part of an app.
    ///
    /// - Parameters:
    ///   - wire: The calls of the broker.
    ///   - sheet: The sheets of the providers.
    ///   - origin: The app's own origin. Every form must come from it.
    ///   - clock: The clock.
    init(wire: AccountsWire, sheet: SignInSheet, origin: String, clock: any UnixClock = SystemUnixClock()) {
        self.wire = wire
        self.sheet = sheet
        self.origin = origin
        self.clock = clock
    }

    /// Whether a path is one of this part.
    func handles(_ path: String) -> Bool {
        path == Self.path || path.hasPrefix(Self.path + "/")
    }

    /// Responds to a request.
    func respond(to request: SampleAppRequest) async -> SampleAppResponse {
        switch request.method {
        case .GET where request.path == Self.path:
            return .page(await page(request))
        case .POST:
            // A cookie with SameSite=Lax comes with the forms of other ports of this host too.
            guard request.origin?.hasSameBytes(as: origin) == true else {
                return .page(SampleAppPages.formFromElsewhere())
            }
            guard let form = request.form, let action = AccountAction(path: request.path, form: form) else {
                return .page(SampleAppPages.notFound())
            }
            return await respond(to: action, of: request)
        case .GET: return .page(SampleAppPages.notFound())
        default: return .page(SampleAppPages.notAllowed())
        }
    }

    /// Does something and redirects to the page, so that reloading it repeats nothing.
    private func respond(to action: AccountAction, of request: SampleAppRequest) async -> SampleAppResponse {
        let id = request.cookie(AccountSessions.cookieName)
        let held = id.flatMap { sessions.session($0) }?.tokens
        let next: AccountSessions.Session
        do throws(AccountsWireError) {
            next = try await perform(action, held)
        } catch {
            next = AccountSessions.Session(tokens: error.endsSession ? nil : held, notice: .failed(error))
        }
        if let id, let held, let tokens = next.tokens, tokens.uid.hasSameBytes(as: held.uid) {
            sessions.update(id, next)
            return .redirect(to: Self.path)
        }
        // Another user is signed in now, and gets another cookie.
        return .redirect(to: Self.path, setCookie: sessions.open(next, insteadOf: id))
    }

    private func page(_ request: SampleAppRequest) async -> Page {
        guard let id = request.cookie(AccountSessions.cookieName), let session = sessions.session(id) else {
            return SampleAppPages.signedOutAccount(nil)
        }
        guard let held = session.tokens else { return SampleAppPages.signedOutAccount(session.notice) }
        do throws(AccountsWireError) {
            let current = try await renewed(held)
            let profile = try await wire.lookup(idToken: current.idToken)
            // Nothing is written if another request has done so in the meantime.
            _ = sessions.update(id, holding: held) { $0.tokens = current }
            return SampleAppPages.account(profile, token: current.report, session.notice)
        } catch {
            guard error.endsSession else { return SampleAppPages.accountNotShown(error) }
            let hasEnded = sessions.update(id, holding: held) { session in
                session = AccountSessions.Session(notice: .failed(error))
            }
            // There are other tokens now, or another cookie, and the error is not theirs.
            guard hasEnded else { return await page(request) }
            return SampleAppPages.signedOutAccount(.failed(error))
        }
    }

    // MARK: Tokens

    /// Returns tokens whose ID token does not expire in the next minute.
    func renewed(_ held: HeldTokens) async throws(AccountsWireError) -> HeldTokens {
        guard held.expiry - Self.leastRemaining <= clock.now() else { return held }
        return try await hold(wire.refresh(held.refreshToken))
    }

    /// Validates the ID token of what the broker gave.
    func hold(_ tokens: AccountsWire.Tokens) async -> HeldTokens {
        let keys = try? await wire.keySet()
        let now = clock.now()
        let expectation = ReceivedAccountToken.Expectation(
            issuer: wire.issuer, audience: wire.projectID, uid: tokens.uid, now: now)
        return HeldTokens(
            uid: tokens.uid, idToken: tokens.idToken, refreshToken: tokens.refreshToken, expiry: now + tokens.lifetime,
            report: ReceivedAccountToken(tokens.idToken).validate(by: keys, expectation))
    }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OIDCBroker
import OIDCBrokerPages

/// The page "Your account". No token is in it.
extension SampleAppPages {
    /// Returns the page of a signed-in user.
    ///
    /// - Parameters:
    ///   - profile: The account.
    ///   - token: The checks of the account's ID token.
    ///   - notice: What came of the last action; `nil` if there was none.
    static func account(_ profile: AccountProfile, token: SignInReport, _ notice: AccountNotice?) -> Page {
        page(
            title: "Your account",
            content: """
                <h1 id="account">Your account</h1>
                \(accountNotice(notice))<table id="profile">
                <tr><th scope="row">uid</th><td><code id="uid">\(profile.uid)</code></td></tr>
                <tr><th scope="row">Name</th><td><bdi id="name">\(profile.name ?? "none")</bdi></td></tr>
                <tr><th scope="row">Address</th><td>\(address(profile))</td></tr>
                </table>
                <h2>Providers</h2>
                <table id="providers">
                \(profile.identities.map { identity($0) })</table>
                <div class="actions">
                \(DemoProvider.allCases.map { forms($0, isLinked: profile.isLinked(to: $0)) })</div>
                <h2>The account's ID token</h2>
                \(checks(token, id: "token-checks"))
                <div class="actions">
                \(form(.refresh, id: "refresh", button("Get a new ID token")))\
                \(form(.signOut, id: "sign-out", button("Sign out")))\
                \(deletion(profile))</div>
                <p><a href="/">Back to the sample app</a></p>
                """,
            forms: .answeredHere)
    }

    /// Returns the page if no user is signed in.
    ///
    /// - Parameter notice: What came of the last action; `nil` if there was none.
    static func signedOutAccount(_ notice: AccountNotice?) -> Page {
        let forms = DemoProvider.allCases.map { provider -> HTML in
            form(
                .signIn, id: "sign-in-\(provider.rawValue)", provider: provider,
                "<p>Sign in with \(provider.title), as:</p>\n\(users)")
        }
        return page(
            title: "Your account",
            content: """
                <h1 id="signed-out">Your account</h1>
                \(accountNotice(notice))<p>You are not signed in. Each button does what an app on a device does: it gets \
                an ID token from the provider's sheet, and calls the broker with it. The browser is not \
                redirected.</p>
                \(forms)<p><a href="/">Back to the sample app</a></p>
                """,
            forms: .answeredHere)
    }

    /// Returns the page if the account cannot be shown now. The user stays signed in.
    static func accountNotShown(_ error: AccountsWireError) -> Page {
        page(
            status: .badGateway, title: "Your account",
            content: """
                <h1 id="not-shown">Your account cannot be shown</h1>
                \(accountNotice(.failed(error)))<p><a class="button" href="\(SampleAppAccounts.path)">Try again</a></p>
                """)
    }

    // MARK: Parts

    private static func address(_ profile: AccountProfile) -> HTML {
        guard let address = profile.address else { return "<span id=\"address\">none</span>" }
        let state = profile.isAddressVerified ? "verified" : "not verified"
        return "<span id=\"address\">\(address)</span> (\(state))"
    }

    private static func identity(_ identity: AccountProfile.Identity) -> HTML {
        let title = DemoProvider(wireID: identity.providerID)?.title ?? identity.providerID
        return """
            <tr class="provider"><th scope="row">\(title)</th>\
            <td><code id="subject-\(identity.providerID)">\(identity.subject)</code><br>\
            \(identity.address ?? "")</td></tr>

            """
    }

    /// What can be done with a provider: signing in again and unlinking if it is linked, else linking.
    private static func forms(_ provider: DemoProvider, isLinked: Bool) -> HTML {
        guard isLinked else {
            return form(
                .link, id: "link-\(provider.rawValue)", provider: provider,
                "<p>Link \(provider.title), as:</p>\n\(users)")
        }
        let again = form(
            .signInAgain, id: "again-\(provider.rawValue)", provider: provider,
            "<p>Sign in again with \(provider.title), as:</p>\n\(users)")
        let unlinking = form(
            .unlink, id: "unlink-\(provider.rawValue)", provider: provider, button("Unlink \(provider.title)"))
        return "\(again)\(unlinking)"
    }

    private static func deletion(_ profile: AccountProfile) -> HTML {
        guard profile.isLinked(to: .apple) else {
            return form(.delete, id: "delete", button("Delete the account"))
        }
        let content: HTML = """
            <p>Delete the account. Apple's grant is revoked first, for which you agree on its sheet, as:</p>
            \(users)
            """
        return form(.delete, id: "delete", content)
    }

    private static func form(
        _ path: AccountAction.Path, id: String, provider: DemoProvider? = nil, _ content: HTML
    ) -> HTML {
        let field: HTML =
            provider.map { "<input type=\"hidden\" name=\"provider\" value=\"\($0.rawValue)\">\n" } ?? ""
        return "<form method=\"post\" action=\"\(path.rawValue)\" id=\"\(id)\">\n\(field)\(content)</form>\n"
    }

    private static func button(_ title: String) -> HTML {
        "<button class=\"choice\" type=\"submit\">\(title)</button>\n"
    }

    /// A button for each user.
    private static var users: HTML {
        let buttons = DemoUser.allCases.map { user -> HTML in
            """
            <button class="choice" type="submit" name="user" value="\(user.rawValue)">\(user.name)</button>

            """
        }
        return "\(buttons)"
    }
}

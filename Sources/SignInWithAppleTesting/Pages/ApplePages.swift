// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerPages
import OIDCBrokerTesting

/// The pages of the mock Apple. Their fields and buttons have the names of those of `ProviderPages`.
enum ApplePages {
    /// Returns the sign-in page.
    static func signIn(
        _ requested: AppleAuthorizationRequest,
        people: [MockApple.Person],
        email: String?,
        hasFailed: Bool
    ) -> ProviderPage {
        ProviderPage(
            title: "Sign in with a mock Apple",
            content: """
                <h1>Sign in with your mock Apple Account</h1>
                <p>to continue to <bdi>\(requested.client.id)</bdi></p>
                \(ProviderPages.signInForm(
                    action: "/auth/authorize", request: requested.text, account: "Apple Account",
                    email: email ?? requested.loginHint ?? "", hasFailed: hasFailed))
                \(ProviderPages.testUsers(
                    people, note: "These users exist for tests only, and this is not Apple. You can sign in as:"))
                """)
    }

    /// Returns the consent page. At the first consent it also asks for the name and for the email to share.
    static func consent(
        _ requested: AppleAuthorizationRequest,
        person: MockApple.Person,
        ticket: String,
        isFirst: Bool
    ) -> ProviderPage {
        let name: HTML =
            isFirst && requested.scopes.contains("name")
            ? """
            <label for="given_name">Given name</label>
            <input id="given_name" name="given_name" autocomplete="given-name" value="\(person.givenName)">
            <label for="family_name">Family name</label>
            <input id="family_name" name="family_name" autocomplete="family-name" value="\(person.familyName)">

            """ : ""
        return ProviderPage(
            title: "Continue to \(requested.client.id)?",
            content: """
                <h1>Continue to <bdi>\(requested.client.id)</bdi>?</h1>
                <p>Signed in as <bdi>\(person.givenName) \(person.familyName)</bdi>.</p>
                <form method="post" action="/auth/authorize" id="consent">
                \(ProviderPages.hidden("ticket", ticket))\(name)\(emailChoice(requested, person, isFirst))\
                <button type="submit" id="allow" name="decision" value="allow">Continue</button>
                <button class="choice" type="submit" id="deny" name="decision" value="deny">Cancel</button>
                </form>
                """)
    }

    private static func emailChoice(
        _ requested: AppleAuthorizationRequest, _ person: MockApple.Person, _ isFirst: Bool
    ) -> HTML {
        guard isFirst, requested.scopes.contains("email") else { return "" }
        let (share, hide): (HTML, HTML) = person.hidesEmail ? ("", " selected") : (" selected", "")
        return """
            <label for="email_choice">Email</label>
            <p><select id="email_choice" name="email_choice">
            <option value="share"\(share)>Share \(person.email)</option>
            <option value="hide"\(hide)>Hide my email</option>
            </select></p>

            """
    }
}

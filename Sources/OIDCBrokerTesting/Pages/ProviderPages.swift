// SPDX-License-Identifier: Apache-2.0

package import OIDCBrokerPages

/// The pages of the development provider.
package enum ProviderPages {
    /// Returns the sign-in page.
    ///
    /// - Parameters:
    ///   - requested: The authorization request, carried in a hidden field.
    ///   - people: The users who can sign in, shown with their passwords.
    ///   - email: The email that was entered before; `nil` for the request's `login_hint`.
    ///   - hasFailed: Whether the page says that the previous attempt failed.
    static func signIn(
        _ requested: RequestedAuthorization,
        people: [OpenIDProvider.Person],
        email: String?,
        hasFailed: Bool
    ) -> ProviderPage {
        ProviderPage(
            title: "Sign in",
            content: """
                <h1>Sign in</h1>
                <p>to continue to <bdi>\(requested.clientID)</bdi></p>
                \(signInForm(
                    action: "/authorize", request: requested.text, account: "Email",
                    email: email ?? requested.loginHint ?? "", hasFailed: hasFailed))
                \(testUsers(people, note: "These users exist for tests only. You can sign in as:"))
                """)
    }

    /// Returns the list of the users who can sign in, with their passwords.
    package static func testUsers(_ people: [some PasswordAccount], note: String) -> HTML {
        let users = people.map { person -> HTML in
            """
            <li><bdi>\(person.displayedName)</bdi>: <code>\(person.email)</code>, \
            password <code>\(person.password)</code></li>

            """
        }
        return """
            <div class="quiet" id="test-users">
            <p>\(note)</p>
            <ul>
            \(users)</ul>
            </div>
            """
    }

    /// Returns the consent page.
    static func consent(
        _ requested: RequestedAuthorization,
        person: OpenIDProvider.Person,
        ticket: String
    ) -> ProviderPage {
        var wishes: [HTML] = ["<li>know that it is you, by an identifier</li>\n"]
        if requested.scopes.contains("profile") { wishes.append("<li>see your name: <bdi>\(person.name)</bdi></li>\n") }
        if requested.scopes.contains("email") { wishes.append("<li>see your email address: \(person.email)</li>\n") }
        if requested.scopes.contains("offline_access") { wishes.append("<li>keep that access for a day</li>\n") }
        return ProviderPage(
            title: "Allow \(requested.clientID)?",
            content: """
                <h1>Allow <bdi>\(requested.clientID)</bdi>?</h1>
                <p>Signed in as <bdi>\(person.name)</bdi>. The app would like to:</p>
                <ul>
                \(wishes)</ul>
                <form method="post" action="/authorize" id="consent">
                \(hidden("ticket", ticket))<button type="submit" id="allow" name="decision" value="allow">Allow</button>
                <button class="choice" type="submit" id="deny" name="decision" value="deny">Deny</button>
                </form>
                """)
    }

    /// Returns a page that carries an authorization response to the client in a form (OAuth 2.0 Form Post Response
    /// Mode). Real providers submit it by script; here the user presses the button, since these pages have no script.
    static func formPost(to redirectURI: String, _ parameters: [(String, String)]) -> ProviderPage {
        ProviderPage(
            title: "Back to the app",
            content: """
                <h1>Back to the app</h1>
                <p>Continue to send the response to the app.</p>
                <form method="post" action="\(redirectURI)" id="form-post">
                \(parameters.map { hidden($0.0, $0.1) })<button type="submit" id="continue" autofocus>Continue</button>
                </form>
                """)
    }

    /// Returns a page with an error that cannot be returned to a client.
    package static func failure(_ message: String) -> ProviderPage {
        ProviderPage(
            title: "This request cannot be answered",
            content: """
                <h1 id="failure">This request cannot be answered</h1>
                <p>\(message)</p>
                """)
    }

    /// Returns the form for the account's email and password.
    ///
    /// - Parameters:
    ///   - action: The path that the form is posted to.
    ///   - request: The authorization request, carried in a hidden field.
    ///   - account: The label of the address, which names the account.
    ///   - email: The initial address.
    ///   - hasFailed: Whether the page says that the previous attempt failed.
    package static func signInForm(action: String, request: String, account: String, email: String, hasFailed: Bool)
        -> HTML
    {
        let failure: HTML =
            hasFailed
            ? "<p class=\"failure\" id=\"failure\" role=\"alert\">\(account) or password is wrong.</p>\n" : ""
        return """
            \(failure)<form method="post" action="\(action)" id="sign-in-form">
            \(hidden("authorization_request", request))<label for="email">\(account)</label>
            <input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" \
            spellcheck="false" required autofocus value="\(email)">
            <label for="password">Password</label>
            <input id="password" name="password" type="password" autocomplete="current-password" required>
            <button type="submit" id="sign-in">Sign in</button>
            </form>
            """
    }

    /// Returns a hidden field of a form.
    package static func hidden(_ name: String, _ value: String) -> HTML {
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">\n"
    }
}

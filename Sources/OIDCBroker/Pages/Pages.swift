// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// The pages of the broker. Most sign-ins show none of them.
///
/// All texts given here are escaped, so app names, provider titles and references may come unchanged from
/// configuration. Nothing that a browser sent is shown, and nothing that a provider sent except the account on
/// ``proceed(appName:account:destination:action:login:)``.
package enum Pages {
    /// Returns a page that says that the sign-in ended, and how to continue.
    ///
    /// - Parameters:
    ///   - status: The status, 4xx or 5xx.
    ///   - title: A few words on what happened.
    ///   - message: What this means for the user, and what to do.
    ///   - reference: A value that is also in the log, so that the operator can find the line. Never a secret.
    ///   - link: A link such as "Start again"; omitted if ``HTMLEscape/linkTarget(_:)`` does not allow its URL.
    package static func failure(
        status: HTTPResponse.Status,
        title: String,
        message: String,
        reference: String?,
        link: (text: String, url: String)?
    ) -> Page {
        var content: HTML = """
            <h1 id="failure">\(title)</h1>
            <p>\(message)</p>
            """
        if let link, let target = HTMLEscape.linkTarget(link.url) {
            content = "\(content)\n<p><a class=\"button\" id=\"link\" href=\"\(target)\">\(link.text)</a></p>"
        }
        if let reference {
            content = "\(content)\n<p class=\"quiet\">Reference: <code id=\"reference\">\(reference)</code></p>"
        }
        return Page(status: status, title: title, content: content)
    }

    /// Returns a page on which the user chooses one of several providers.
    ///
    /// The form is posted to `action` with `login` and, from the button that was pressed, `provider`, the provider's
    /// name.
    ///
    /// - Parameters:
    ///   - appName: The name of the app to sign in to.
    ///   - providers: The configured names, which are submitted, and titles, which are shown, in the order of the
    ///     buttons.
    ///   - action: The path of the form on this origin.
    ///   - login: An opaque value that binds the form to this login.
    package static func chooser(
        appName: String,
        providers: [(name: String, title: String)],
        action: String,
        login: String
    ) -> Page {
        let buttons = providers.map { provider -> HTML in
            """
            <button class="choice" type="submit" name="provider" value="\(provider.name)" \
            id="provider-\(provider.name)">Continue with <bdi>\(provider.title)</bdi></button>

            """
        }
        return Page(
            status: .ok,
            title: "Sign in to \(appName)",
            content: """
                <h1>Sign in to <bdi>\(appName)</bdi></h1>
                <p>Choose how you would like to sign in.</p>
                <form method="post" action="\(action)" id="chooser">
                \(hidden("login", login))\(buttons)</form>
                """,
            forms: .endInRedirect)
    }

    /// Returns a page that asks the user to continue to an app whose redirect URI is not https, since any program on
    /// the device may have registered it (RFC 8252 section 8.6).
    ///
    /// - Parameters:
    ///   - appName: The name of the app that asked.
    ///   - account: The e-mail address or name of the person who signed in; `nil` if it is not known.
    ///   - destination: The destination of the response as shown to the user: the scheme, or host and port.
    ///   - action: The path of the form on this origin.
    ///   - login: An opaque value that binds the form to this login.
    package static func proceed(
        appName: String, account: String?, destination: String, action: String, login: String
    ) -> Page {
        let person: HTML = account.map { "<p>You are signed in as <bdi id=\"account\">\($0)</bdi>.</p>\n" } ?? ""
        return Page(
            status: .ok,
            title: "Continue to \(appName)?",
            content: """
                <h1>Continue to <bdi>\(appName)</bdi>?</h1>
                \(person)<p>You are about to sign in to an app on this device. Continue only if you have just started this \
                yourself, in that app.</p>
                <form method="post" action="\(action)" id="proceed">
                \(hidden("login", login))<button type="submit" id="continue">Continue to \(appName)</button>
                <button class="choice" type="submit" name="action" value="cancel" id="cancel">Cancel</button>
                </form>
                <p class="quiet">The response goes to <code>\(destination)</code>. After that you may close this page.</p>
                """,
            forms: .endInRedirect)
    }

    /// Returns a page that posts an authorization response again from this origin, so that the browser sends the
    /// login's cookie. It is used only if a browser withheld a `SameSite` cookie from the provider's cross-site POST.
    ///
    /// - Parameters:
    ///   - action: The path of the form on this origin.
    ///   - fields: The known fields of the response, which are written only into this page.
    package static func repost(action: String, fields: [(name: String, value: String)]) -> Page {
        Page(
            status: .ok,
            title: "One more step",
            content: """
                <h1>One more step</h1>
                <p>Your browser needs your confirmation to finish signing in.</p>
                <form method="post" action="\(action)" id="repost">
                \(fields.map { hidden($0.name, $0.value) })<button type="submit" id="continue">Continue</button>
                </form>
                """,
            forms: .endInRedirect)
    }

    static func hidden(_ name: String, _ value: String) -> HTML {
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">\n"
    }
}

// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import OIDCBrokerConfiguration

/// The pages of the broker, in one language and with the operator's branding. Most sign-ins show no page.
///
/// All texts given here are escaped, so app names, provider titles and references may come unchanged from
/// configuration. Nothing that a browser sent is shown, and nothing that a provider sent except the account on
/// ``proceed(appName:account:destination:action:login:)``.
package struct Pages: Sendable {
    /// The texts of one language.
    package let texts: PageTexts
    /// The operator's branding.
    package let theme: PageTheme

    /// Creates the pages of a language and a branding.
    package init(texts: PageTexts = .english, theme: PageTheme = .plain) {
        self.texts = texts
        self.theme = theme
    }

    /// Returns a page with the frame of all pages.
    package func page(
        status: HTTPResponse.Status = .ok, title: String, content: HTML, forms: Page.Forms = .none,
        script: Script? = nil
    ) -> Page {
        Page(
            status: status, title: title, content: content, forms: forms, stylesheet: theme.stylesheet, script: script,
            language: texts.tag, direction: texts.direction, header: theme.header, footer: theme.footer(texts),
            showsImages: theme.showsImages)
    }

    /// Returns a page that says that the sign-in ended, and how to continue.
    ///
    /// - Parameters:
    ///   - status: The status, 4xx or 5xx.
    ///   - message: What happened, what this means for the user, and what to do.
    ///   - appName: The name of the app; `nil` if it is not known.
    ///   - cause: What is wrong with the request, in English, for the developers of the app; `nil` if they are not told.
    ///   - reference: The reference of the log line; `nil` if there is none.
    ///   - link: Where the user can go on; `nil` if it is not known.
    ///   - otherLink: Where else the user can go on; `nil` if there is one way at most.
    package func failure(
        _ message: PageMessage, status: HTTPResponse.Status, appName: String? = nil, cause: String? = nil,
        reference: PageReference? = nil, link: PageLink? = nil, otherLink: PageLink? = nil
    ) -> Page {
        var content: HTML = """
            <h1 id="failure">\(message.title)</h1>
            <p>\(message.text)</p>
            """
        if let appName {
            content = "<p class=\"quiet\" id=\"app\">\(texts.signInTo.html(isolating: appName))</p>\n\(content)"
        }
        content = "\(content)\(button(link))"
        if let otherLink, let target = HTMLEscape.linkTarget(otherLink.url) {
            content = """
                \(content)
                <p><a class="button choice" id="other-link" href="\(target)">\(otherLink.text(texts))</a></p>
                """
        }
        if let cause {
            let code: HTML = "<code id=\"cause\" lang=\"en\" dir=\"ltr\">\(cause)</code>"
            content = "\(content)\n<p class=\"quiet\">\(texts.forDevelopers.html(code))</p>"
        }
        if let reference {
            let code: HTML = "<code id=\"reference\">\(reference.description)</code>"
            content = "\(content)\n<p class=\"quiet\">\(texts.reference.html(code))</p>"
        }
        return page(status: status, title: message.title, content: content)
    }

    /// The way on from a page, on a line of its own; nothing if there is none.
    func button(_ link: PageLink?) -> HTML {
        guard let link, let target = HTMLEscape.linkTarget(link.url) else { return "" }
        return "\n<p><a class=\"button\" id=\"link\" href=\"\(target)\">\(link.text(texts))</a></p>"
    }

    /// Returns the page that says what the server is. It is the same for all users, and names no app and no provider.
    package func aboutServer() -> Page {
        page(
            title: texts.aboutServer.title,
            content: """
                <h1 id="about">\(texts.aboutServer.title)</h1>
                <p>\(texts.aboutServer.text)</p>
                """)
    }

    /// Returns a page on which the user chooses one of several providers.
    ///
    /// The form is posted to `action` with `login` and, from the button that was pressed, `provider`, the provider's
    /// name.
    ///
    /// - Parameters:
    ///   - appName: The name of the app to sign in to.
    ///   - providers: The providers, in the order of the buttons.
    ///   - action: The path of the form on this origin.
    ///   - login: An opaque value that binds the form to this login.
    package func chooser(appName: String, providers: [ProviderChoice], action: String, login: String) -> Page {
        let buttons = providers.map { provider -> HTML in
            """
            <button class="choice\(provider.mark?.styleClass ?? "")" type="submit" name="provider" \
            value="\(provider.name)" id="provider-\(provider.name)">\(label(of: provider))</button>

            """
        }
        return page(
            title: texts.signInTo.plain(appName),
            content: """
                <h1>\(texts.signInTo.html(isolating: appName))</h1>
                <p>\(texts.chooseProvider)</p>
                <form method="post" action="\(action)" id="chooser">
                \(Self.hidden("login", login))\(buttons)</form>
                """,
            forms: .endInRedirect)
    }

    /// Returns a page that names the app and the provider of a sign-in, which begins by a click.
    ///
    /// - Parameters:
    ///   - appName: The name of the app to sign in to.
    ///   - provider: The provider.
    ///   - target: The path and the query on this origin to which the link leads.
    package func start(appName: String, at provider: ProviderChoice, target: String) -> Page {
        page(
            title: texts.signInTo.plain(appName),
            content: """
                <h1>\(texts.signInTo.html(isolating: appName))</h1>
                <p><a class="button choice\(provider.mark?.styleClass ?? "")" id="start" href="\(target)">\
                \(label(of: provider))</a></p>
                """)
    }

    private func label(of provider: ProviderChoice) -> HTML {
        "\(provider.mark?.image ?? "")<span>\(texts.continueWith.html(isolating: provider.title))</span>"
    }

    /// Returns a page that asks the user to continue to an app whose redirect URI is not https, since any program on
    /// the device may have registered it (RFC 8252 section 8.6).
    ///
    /// - Parameters:
    ///   - appName: The name of the app that asked.
    ///   - account: The email or name of the user who signed in; `nil` if it is not known.
    ///   - destination: The destination of the response as shown to the user: the scheme, or host and port.
    ///   - action: The path of the form on this origin.
    ///   - login: An opaque value that binds the form to this login.
    package func proceed(
        appName: String, account: String?, destination: String, action: String, login: String
    ) -> Page {
        let person: HTML =
            account.map { account in
                let name: HTML = "<bdi id=\"account\">\(account)</bdi>"
                return "<p>\(texts.signedInAs.html(name))</p>\n"
            } ?? ""
        let place: HTML = "<code>\(destination)</code>"
        return page(
            title: texts.continueToQuestion.plain(appName),
            content: """
                <h1>\(texts.continueToQuestion.html(isolating: appName))</h1>
                \(person)<p>\(texts.continueOnlyIfStarted)</p>
                <form method="post" action="\(action)" id="proceed">
                \(Self.hidden("login", login))<button type="submit" id="continue">\
                \(texts.continueTo.html(isolating: appName))</button>
                <button class="choice" type="submit" name="action" value="cancel" id="cancel">\(texts.cancel)</button>
                </form>
                <p class="quiet">\(texts.responseGoesTo.html(place)) \(texts.mayCloseAfterwards)</p>
                """,
            forms: .endInRedirect)
    }

    /// Returns a page that posts an authorization response again from this origin, so that the browser sends the
    /// login's cookie. It is used only if a browser withheld a `SameSite` cookie from the provider's cross-site POST.
    ///
    /// - Parameters:
    ///   - action: The path of the form on this origin.
    ///   - fields: The known fields of the response, which are written only into this page.
    package func repost(action: String, fields: [(name: String, value: String)]) -> Page {
        page(
            title: texts.oneMoreStep,
            content: """
                <h1>\(texts.oneMoreStep)</h1>
                <p>\(texts.needsConfirmation)</p>
                <form method="post" action="\(action)" id="repost">
                \(fields.map { Self.hidden($0.name, $0.value) })<button type="submit" id="continue">\
                \(texts.continue)</button>
                </form>
                """,
            forms: .endInRedirect)
    }

    /// A hidden field of a form.
    package static func hidden(_ name: String, _ value: String) -> HTML {
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">\n"
    }
}

/// A provider on the page on which the user chooses one.
package struct ProviderChoice: Sendable {
    /// The name in the configuration, which is submitted.
    package let name: String
    /// The title, which is shown.
    package let title: String
    /// The mark on the button; `nil` if there is none.
    package let mark: ProviderMark?

    /// Creates a choice.
    package init(name: String, title: String, mark: ProviderMark? = nil) {
        self.name = name
        self.title = title
        self.mark = mark
    }

    /// Creates the choice of a provider of the configuration.
    package init(_ provider: BrokerConfiguration.Provider) {
        self.init(name: provider.name, title: provider.displayedName, mark: ProviderMark(provider))
    }
}

/// Where a page leads.
package enum PageLink: Sendable, Hashable {
    /// The beginning of a sign-in.
    case startAgain(url: String)
    /// The app, which is at a host.
    case back(host: String, url: String)

    /// The URL of the link.
    package var url: String {
        switch self {
        case .startAgain(let url), .back(_, let url): url
        }
    }

    /// The text of the link.
    package func text(_ texts: PageTexts) -> String {
        switch self {
        case .startAgain: texts.startAgain
        case .back(let host, _): texts.backTo.plain(host)
        }
    }
}

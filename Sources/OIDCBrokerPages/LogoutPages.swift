// SPDX-License-Identifier: Apache-2.0

extension Pages {
    /// Returns the page that asks the user whether to sign out.
    /// - Parameters:
    ///   - appName: The name of the app; `nil` if it is not known.
    ///   - action: The path of the form on this origin.
    ///   - logout: An opaque value that holds the request.
    ///   - cancel: The URL to which "Cancel" leads; `nil` if the app has none.
    package func confirmLogout(appName: String?, action: String, logout: String, cancel: String? = nil) -> Page {
        let stay: HTML =
            cancel.flatMap { HTMLEscape.linkTarget($0) }.map { target -> HTML in
                "<a class=\"button choice\" id=\"cancel\" href=\"\(target)\">\(texts.cancel)</a>\n"
            } ?? ""
        let heading: HTML = appName.map { texts.signOutOfQuestion.html(isolating: $0) } ?? "\(texts.signOutQuestion)"
        return page(
            title: appName.map { texts.signOutOfQuestion.plain($0) } ?? texts.signOutQuestion,
            content: """
                <h1>\(heading)</h1>
                <p>\(texts.signOutNote)</p>
                <form method="post" action="\(action)" id="logout">
                \(Self.hidden("logout", logout))<button type="submit" id="continue">\(texts.signOut)</button>
                \(stay)</form>
                """,
            forms: .endInRedirect)
    }

    /// Returns the page at the end of a logout. It does not say that the user is signed out: nothing proves that the
    /// user agent comes from the provider, or that the provider ended its session.
    /// - Parameter link: Where the user can go on; `nil` if it is not known.
    package func loggedOut(link: PageLink? = nil) -> Page {
        page(
            title: texts.signedOut.title,
            content: """
                <h1 id="logged-out">\(texts.signedOut.title)</h1>
                <p>\(texts.signedOut.text)</p>\(button(link))
                """)
    }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Pages {
    /// Returns the page that asks the person whether to sign out.
    /// - Parameters:
    ///   - appName: The name of the app; `nil` if it is not known.
    ///   - action: The path of the form on this origin.
    ///   - logout: An opaque value that holds the request.
    static func confirmLogout(appName: String?, action: String, logout: String) -> Page {
        let heading: HTML = appName.map { "Sign out of <bdi>\($0)</bdi>?" } ?? "Sign out?"
        return Page(
            status: .ok,
            title: appName.map { "Sign out of \($0)?" } ?? "Sign out?",
            content: """
                <h1>\(heading)</h1>
                <p>This also signs you out at the service with which you signed in, if it supports that. If you did not \
                want to sign out, close this page.</p>
                <form method="post" action="\(action)" id="logout">
                \(hidden("logout", logout))<button type="submit" id="continue">Sign out</button>
                </form>
                """,
            forms: .endInRedirect)
    }

    /// Returns the page that says that the person is signed out.
    static func loggedOut() -> Page {
        Page(
            status: .ok,
            title: "You are signed out",
            content: """
                <h1 id="logged-out">You are signed out</h1>
                <p>You may close this page.</p>
                """)
    }
}

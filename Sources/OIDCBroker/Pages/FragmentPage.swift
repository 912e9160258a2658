// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Pages {
    /// Returns the page that submits an authorization response in the fragment of its URL to the same path by POST.
    ///
    /// The page is the same for every request and contains no value of one. If scripts are disabled it says what to do;
    /// the fragment is still in the address then.
    ///
    /// - Parameter action: The callback path, which is that of the page itself.
    package static func fragment(action: String) -> Page {
        Page(
            status: .ok,
            title: "One more step",
            content: """
                <h1>One more step</h1>
                <noscript><p>This page needs one small script to finish signing in, and your browser does not run it. \
                Allow scripts for this page and load it again, or go back to the app and start again.</p></noscript>
                <p id="waiting">You are being signed in.</p>
                <p id="nothing" hidden>There is no sign-in in this link. Go back to the app and start again.</p>
                <form method="post" action="\(action)" id="fragment-return">
                <input type="hidden" name="fragment" value="">
                </form>
                """,
            forms: .endInRedirect,
            script: .fragmentResponse)
    }
}

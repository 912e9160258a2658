// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Pages {
    /// Brings a provider's response that stands in the fragment of the page's URL to the same path by POST.
    ///
    /// The page is the same for every request: no value of one stands in it. Where scripts do not run it says what to
    /// do; the fragment is then still in the address.
    ///
    /// - Parameter action: the callback path, where the page itself stands.
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

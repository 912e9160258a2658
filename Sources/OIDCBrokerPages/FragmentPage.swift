// SPDX-License-Identifier: Apache-2.0

extension Pages {
    /// Returns the page that submits an authorization response in the fragment of its URL to the same path by POST.
    ///
    /// The page contains no value of a request. If scripts are disabled it says what to do, and nothing else; the fragment
    /// is still in the address then.
    ///
    /// - Parameter action: The callback path, which is that of the page itself.
    package func fragment(action: String) -> Page {
        page(
            title: texts.oneMoreStep,
            content: """
                <h1>\(texts.oneMoreStep)</h1>
                <noscript><p>\(texts.scriptNeeded)</p></noscript>
                <p id="waiting" hidden>\(texts.beingSignedIn)</p>
                <p id="nothing" hidden>\(texts.noSignInInLink)</p>
                <form method="post" action="\(action)" id="fragment-return">
                <input type="hidden" name="fragment" value="">
                </form>
                """,
            forms: .endInRedirect,
            script: .fragmentResponse)
    }
}

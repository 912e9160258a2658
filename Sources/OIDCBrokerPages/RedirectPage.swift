// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Pages {
    /// Returns the page of a sign-in that goes on in the same window: it keeps where the sign-in began, or goes back there.
    /// In a browser that runs no scripts, the page says what to do.
    ///
    /// The policy of the page allows its script and nothing else.
    /// - Parameter data: JSON with the members `origin` and `rest` and `next`, or `origin` and `result`, in which `<` is
    ///   written as an escape. Any other text is left out, since it could end the element.
    package func redirect(data: String) -> Page {
        let safe = data.utf8.contains(UInt8(ascii: "<")) ? "null" : data
        return page(
            title: texts.oneMoreStep,
            content: """
                <h1>\(texts.oneMoreStep)</h1>
                <noscript><p>\(texts.scriptNeeded)</p></noscript>
                <p>\(texts.beingSignedIn)</p>
                <script type="application/json" id="redirect">\(HTML(stringLiteral: safe))</script>
                """,
            script: .redirect)
    }
}

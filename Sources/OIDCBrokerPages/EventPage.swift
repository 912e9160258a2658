// SPDX-License-Identifier: Apache-2.0

extension Pages {
    /// Returns the page of a popup that posts the event of a sign-in to the window that opened it, at exactly one
    /// origin. Without such a window, or in a browser that runs no scripts, the page says what to do.
    ///
    /// The event is in an element that no browser runs. The policy of the page allows its script and nothing else.
    /// - Parameter data: JSON with the members `origin` and `authEvent`, in which `<` is written as an escape. Any other
    ///   text is left out, since it could end the element.
    package func event(data: String) -> Page {
        let safe = data.utf8.contains(UInt8(ascii: "<")) ? "null" : data
        return page(
            title: texts.oneMoreStep,
            content: """
                <h1>\(texts.oneMoreStep)</h1>
                <noscript><p>\(texts.scriptNeeded)</p></noscript>
                <p id="waiting">\(texts.beingSignedIn)</p>
                <p id="closable" hidden>\(texts.mayBeClosed)</p>
                <script type="application/json" id="auth-event">\(HTML(stringLiteral: safe))</script>
                """,
            script: .authEvent)
    }
}

// SPDX-License-Identifier: Apache-2.0

package import OIDCBrokerPages

/// A page of the development provider: without script and external resources, in the broker's style with a banner that
/// identifies it.
package struct ProviderPage: Sendable {
    /// The complete document.
    package let html: String

    /// There is no `form-action`, because the forms end in redirects to the client, and some browsers enforce it along
    /// redirects.
    package static let contentSecurityPolicy =
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src \(stylesheet.sourceExpression)"

    private static let stylesheet = Stylesheet.shared.adding(
        """
        .banner{margin:-1.75rem -1.75rem 1.25rem;padding:.5rem 1.75rem;border-bottom:1px solid var(--line);\
        border-radius:.75rem .75rem 0 0;background:var(--ground);color:var(--quiet);font-size:.875rem;text-align:center}
        label{display:block;margin:0 0 .25rem;font-weight:600}
        input{display:block;width:100%;min-height:2.75rem;margin:0 0 1rem;padding:.6rem .75rem;\
        border:1px solid var(--line);border-radius:.5rem;background:var(--ground);color:var(--text);font:inherit}
        .failure{color:var(--bad);font-weight:600}
        ul{margin:0 0 1rem;padding-left:1.25rem}
        li{overflow-wrap:anywhere}

        """)

    /// Creates a page with the given content in the common layout.
    package init(title: String, content: HTML) {
        let style = HTML(stringLiteral: Self.stylesheet.text)
        let document: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="robots" content="noindex">
            <title>\(title)</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            <p class="banner" id="banner">Development provider: test users only</p>
            \(content)
            </main>
            </body>
            </html>

            """
        html = document.text
    }
}

// SPDX-License-Identifier: Apache-2.0

import JOSE

/// An inline stylesheet with the hash by which a Content-Security-Policy allows it.
///
/// A hash instead of `'unsafe-inline'` leaves injected styles without effect. A hash instead of a nonce keeps the
/// policy the same for every response, so it is created once.
package struct Stylesheet: Sendable {
    /// The CSS, exactly as between `<style>` and `</style>`.
    package let text: String
    /// The source expression for `style-src`: `'sha256-…'`, including quotes (CSP Level 3 section 2.3.1).
    package let sourceExpression: String

    /// Creates a stylesheet and computes its hash.
    ///
    /// - Parameter text: CSS from the source code, never from outside.
    package init(_ text: String) {
        self.text = text
        sourceExpression = "'sha256-\(Base64.encode(Hash.sha256(Array(text.utf8))))'"
    }

    /// The style of every page of the broker: a card with system fonts, readable on a phone, light and dark. The card grows
    /// downward only, so that nothing moves while a page arrives.
    package static let shared = Stylesheet(base)

    /// Returns this stylesheet with additional rules at its end.
    package func adding(_ rules: String) -> Stylesheet {
        Stylesheet(text + rules)
    }

    private static let base = """
        :root{color-scheme:light dark;--ground:#f4f5f7;--card:#fff;--text:#1b1f24;--quiet:#57606a;--line:#d0d7de;--control:#767d87;\
        --accent:#0b57d0;--on-accent:#fff;--good:#116329;--bad:#b3261e}
        @media (prefers-color-scheme:dark){:root{--ground:#0f1216;--card:#191d23;--text:#e8eaed;--quiet:#a3abb5;\
        --line:#3a424c;--control:#7d8590;--accent:#8ab4f8;--on-accent:#0b1b33;--good:#7ee2a0;--bad:#f6aea9}}
        *{box-sizing:border-box}
        body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;\
        gap:1rem;padding:clamp(1rem,14vh,10rem) 1rem 1rem;\
        background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
        main{width:100%;max-width:26rem;padding:1.75rem;background:var(--card);border:1px solid var(--line);\
        border-radius:.75rem}
        header,footer{width:100%;max-width:26rem;text-align:center;color:var(--quiet);overflow-wrap:anywhere}
        header img{display:block;max-width:12rem;max-height:4rem;margin:0 auto}
        footer{font-size:.875rem}
        footer a{display:inline-block;min-height:1.5rem;margin:0 .5rem}
        h1{margin:0 0 .75rem;font-size:1.375rem;line-height:1.25;overflow-wrap:anywhere}
        p{margin:0 0 1rem;overflow-wrap:anywhere;text-wrap:pretty}
        form{margin:0 0 1rem}
        .quiet{color:var(--quiet);font-size:.875rem}
        code{font:.875rem ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
        button,.button{display:block;width:100%;min-height:2.75rem;margin:0 0 .75rem;padding:.6rem 1rem;\
        border:1px solid var(--accent);border-radius:.5rem;background:var(--accent);color:var(--on-accent);\
        font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;overflow-wrap:anywhere}
        main>:last-child,form>:last-child{margin-bottom:0}
        .choice{background:transparent;border-color:var(--control);color:var(--text)}
        .mark{display:flex;align-items:center;justify-content:center;gap:.75rem}
        .mark svg{flex:none;width:1.25rem;height:1.25rem}
        .google{background:#fff;border-color:#747775;color:#1f1f1f}
        .apple{background:#000;border-color:#000;color:#fff}
        .microsoft{background:#fff;border-color:#747474;color:#5e5e5e}
        @media (prefers-color-scheme:dark){.google{background:#131314;border-color:#8e918f;color:#e3e3e3}\
        .apple{background:#fff;border-color:#fff;color:#000}\
        .microsoft{background:#2f2f2f;border-color:#8c8c8c;color:#fff}}
        button:hover,.button:hover{filter:brightness(1.08)}
        a{color:var(--accent)}
        :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
        @media (min-width:48rem){main{padding:2.5rem}h1{font-size:1.5rem}}
        @media print{body{display:block;min-height:0}main{border:0;padding:0}form,.button{display:none}}

        """
}

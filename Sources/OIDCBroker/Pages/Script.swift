// SPDX-License-Identifier: Apache-2.0

import JOSE

/// An inline script together with the hash by which a Content-Security-Policy allows it, and nothing else.
///
/// There is one: a browser keeps the fragment of a URL to itself, so only a script can bring it. Like ``Stylesheet`` it
/// is the same text in every response; no value of a request is ever part of it.
package struct Script: Sendable {
    /// The script, exactly as it stands between `<script>` and `</script>`.
    package let text: String
    /// The source expression for `script-src`: `'sha256-…'`, quotes included (CSP Level 3 section 2.3.1).
    package let sourceExpression: String

    /// Hashes the script, once.
    private init(_ text: String) {
        self.text = text
        sourceExpression = "'sha256-\(Base64.encode(Hash.sha256(Array(text.utf8))))'"
    }

    /// Posts the fragment of the page's URL to the page's own path.
    ///
    /// The fragment is cleared from the address, and so from the browser's history, before anything else is done.
    /// Without one there is nothing to post, and the page says so.
    package static let fragmentResponse = Script(
        """
        "use strict";(function(){var fragment=location.hash.slice(1);\
        history.replaceState(null,"",location.pathname);\
        var form=document.getElementById("fragment-return");\
        if(fragment===""){document.getElementById("waiting").hidden=true;\
        document.getElementById("nothing").hidden=false;return}\
        form.elements.namedItem("fragment").value=fragment;form.submit()})();
        """)
}

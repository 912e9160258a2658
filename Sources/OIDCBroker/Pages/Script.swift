// SPDX-License-Identifier: Apache-2.0

import JOSE

/// An inline script with the hash by which a Content-Security-Policy allows it and nothing else.
///
/// There are only two: a browser does not send the fragment of a URL, and it does not submit a form by itself. Like a
/// ``Stylesheet`` each is the same text in every response and never contains a value of a request.
package struct Script: Sendable {
    /// The script, exactly as between `<script>` and `</script>`.
    package let text: String
    /// The source expression for `script-src`: `'sha256-…'`, including quotes (CSP Level 3 section 2.3.1).
    package let sourceExpression: String

    /// Creates a script and computes its hash.
    private init(_ text: String) {
        self.text = text
        sourceExpression = "'sha256-\(Base64.encode(Hash.sha256(Array(text.utf8))))'"
    }

    /// The script that submits the form of an authorization response to an app.
    package static let formPost = Script("\"use strict\";document.getElementById(\"form-post\").submit();")

    /// The script that posts the fragment of the page's URL to the page's own path.
    ///
    /// It first removes the fragment from the address, and thus from the browser's history. Without a fragment there is
    /// nothing to post, and the page says so.
    package static let fragmentResponse = Script(
        """
        "use strict";(function(){var fragment=location.hash.slice(1);\
        history.replaceState(null,"",location.pathname);\
        var form=document.getElementById("fragment-return");\
        if(fragment===""){document.getElementById("nothing").hidden=false;return}\
        document.getElementById("waiting").hidden=false;\
        form.elements.namedItem("fragment").value=fragment;form.submit()})();
        """)
}

// SPDX-License-Identifier: Apache-2.0

import JOSE

/// An inline script with the hash by which a Content-Security-Policy allows it and nothing else.
///
/// There are only four: a browser does not send the fragment of a URL, it does not submit a form by itself, nothing else
/// reaches the window that opened a popup, and nothing else keeps a long URL for a tab. Like a ``Stylesheet`` each is the same text in every response and never
/// contains a value of a request.
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

    /// The script that posts the event of a sign-in in a popup to the window that opened it, at exactly one origin.
    ///
    /// It reads the JSON data block `auth-event` with the members `origin` and `authEvent`. The SDK closes the popup.
    /// If no page does, `waiting` gives way to `closable`: at once without an opener, else after two seconds, since a
    /// message to another origin than the opener's vanishes without an error.
    package static let authEvent = Script(
        """
        "use strict";(function(){\
        var block=JSON.parse(document.getElementById("auth-event").textContent);\
        function end(){document.getElementById("waiting").hidden=true;document.getElementById("closable").hidden=false}\
        if(!window.opener||window.opener.closed){end();return}\
        window.opener.postMessage({type:"authEvent",authEvent:block.authEvent},block.origin);\
        setTimeout(end,2000)})();
        """)

    /// The script of a sign-in that goes on in the same window, and ends at the page of the app where it began.
    ///
    /// It reads the JSON data block `redirect`. With `next` it keeps `rest`, what stands behind the `origin` in the URL of
    /// that page, in the `sessionStorage` of the broker's own origin, and goes to `next`. With `result` it goes back to the
    /// page with the result in its fragment, and the page's own fragment in the pair `fragment`. What was kept for another
    /// origin, or was not kept, leads to the root of the `origin`.
    package static let redirect = Script(
        """
        "use strict";(function(){\
        var block=JSON.parse(document.getElementById("redirect").textContent),name="oidc-broker:page",rest="";\
        if(block.next){\
        try{sessionStorage.setItem(name,JSON.stringify([block.origin,block.rest]))}catch(error){}\
        location.replace(block.next);return}\
        try{var page=JSON.parse(sessionStorage.getItem(name));if(page[0]===block.origin)rest=page[1]}catch(error){}\
        var mark=rest.indexOf("#"),fragment=mark<0?"":rest.slice(mark+1);\
        location.replace(block.origin+(mark<0?rest:rest.slice(0,mark))+"#"+block.result+\
        (fragment&&"&fragment="+encodeURIComponent(fragment)))})();
        """)
}

// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// What a tab keeps for the broker's own origin while a sign-in goes on in it: where the sign-in began.
package struct TabStorage: Sendable {
    private static let mark = #"<script type="application/json" id="redirect">"#

    private var kept: (origin: String, rest: String)?

    /// A tab that has never been anywhere.
    package init() {}

    /// Runs the script of a page that keeps where a sign-in began, or goes back there.
    /// - Returns: Where it goes; `nil` if the page has no such script.
    package mutating func follow(html: String) -> String? {
        guard let start = html.firstRange(of: Self.mark)?.upperBound,
            let end = html[start...].firstRange(of: "</script>")?.lowerBound,
            let data = try? JSONParser.object(Array(html[start..<end].utf8), limits: JSONLimits(maximumBytes: 65_536)),
            let origin = data["origin"]?.text?.makeString()
        else { return nil }
        if let next = data["next"]?.text?.makeString() {
            kept = (origin, data["rest"]?.text?.makeString() ?? "")
            return next
        }
        guard let result = data["result"]?.text?.makeString() else { return nil }
        let rest = kept.map { $0.origin == origin ? $0.rest : "" } ?? ""
        let page = rest.prefix { $0 != "#" }
        let fragment = rest.dropFirst(page.count + 1)
        return origin + page + "#" + result
            + (fragment.isEmpty ? "" : "&fragment=" + FormURLEncoding.percentEncode(String(fragment)))
    }
}

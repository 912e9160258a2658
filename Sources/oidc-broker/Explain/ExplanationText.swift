// SPDX-License-Identifier: Apache-2.0

#if Server
    import JOSE
    import OpenIDRelyingParty

    /// An explanation as text for a terminal.
    enum ExplanationText {
        /// Returns header, claims, keys and checks; a line for each key and each check.
        /// - Parameter preamble: Lines about what the token is compared with.
        static func text(_ explanation: IDTokenExplanation, preamble: [String]) -> String {
            var lines = preamble
            lines.append("header: " + (explanation.header.map(TerminalJSON.text) ?? "cannot be read"))
            lines.append("claims: " + (explanation.claims.map(TerminalJSON.text) ?? "cannot be read"))
            for key in explanation.keys { lines.append("key \(key.name): \(key.reason)") }
            for check in explanation.checks {
                lines.append(
                    "\(check.verdict.rawValue): \(check.name): wanted \(check.wanted), found \(check.found)")
            }
            lines.append(explanation.holds ? "Every check that could be made holds." : "The token is refused.")
            return lines.joined(separator: "\n")
        }
    }
#endif

// SPDX-License-Identifier: Apache-2.0

#if Server
    import JOSE
    import OpenIDRelyingParty

    /// An explanation as text for a terminal.
    enum ExplanationText {
        /// Returns header, claims, keys and checks; a line for each key and each check. What was not checked is said
        /// once more at the end, so that it is not mistaken for a passed check.
        /// - Parameter preamble: Lines about what the token is compared with.
        static func text(_ explanation: IDTokenExplanation, preamble: [String]) -> String {
            var lines = preamble
            lines.append("header: " + (explanation.header.map(TerminalJSON.text) ?? "cannot be read"))
            lines.append("claims: " + (explanation.claims.map(TerminalJSON.text) ?? "cannot be read"))
            for key in explanation.keys { lines.append("key \(key.name): \(key.reason)") }
            for check in explanation.checks {
                lines.append("\(check.verdict.rawValue): \(check.name): \(result(of: check, explanation))")
            }
            let skipped = explanation.checks.filter { $0.verdict == .skip }.map(\.name)
            if !skipped.isEmpty { lines.append("Not checked: " + skipped.joined(separator: ", ") + ".") }
            lines.append(explanation.holds ? "All checks that could be made passed." : "The token is refused.")
            return lines.joined(separator: "\n")
        }

        private static func result(of check: IDTokenExplanation.Check, _ explanation: IDTokenExplanation) -> String {
            guard check.verdict == .skip else { return "expected \(check.wanted), found \(check.found)" }
            guard let unknown = check.unknown else {
                return "not checked: expected \(check.wanted), found \(check.found)"
            }
            guard let name = option(for: unknown) else { return "not checked: \(unknown.rawValue) is not known" }
            let isMissing = unknown == .nonce && explanation.claims?["nonce"] == nil
            return "not checked: no \(name)" + (isMissing ? "; the token has none" : "")
        }

        /// The option of the command by which a value becomes known; `nil` if there is none.
        private static func option(for value: IDTokenExplanation.SignInValue) -> String? {
            switch value {
            case .nonce: "--nonce"
            case .maximumAge: "--max-age"
            case .accessToken: "--access-token"
            case .code: "--code"
            case .subject, .state: nil
            }
        }
    }
#endif

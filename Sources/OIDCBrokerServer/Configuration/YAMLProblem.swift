// SPDX-License-Identifier: Apache-2.0

#if Server
    import Yams

    /// The texts of errors in YAML.
    enum YAMLProblem {
        /// Returns what was expected instead of a text that is not one YAML document with unique keys, with the place and
        /// the parser's reason. The parser's own description is not used: it quotes the text, which may be a secret.
        static func expected(_ error: any Error, in text: String) -> String {
            guard let error = error as? YamlError else { return general }
            switch error {
            case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _):
                let advice = hasTab(text, mark) ? "; indent with spaces, not with tabs" : ""
                return "\(general); \(place(mark)): \(problem)\(advice)"
            case .composer(let context, _, let mark, _):
                return context?.text.contains("single document") == true
                    ? "one YAML document; another one begins in line \(mark.line)"
                    : "\(general); \(place(mark)): an alias (*name) without its anchor (&name)"
            case .duplicatedKeysInMapping(let keys, let context):
                return "each key once; \(duplicate(keys.first ?? "", context.mark, in: text))"
            case .reader:
                return "\(general); a control character"
            default:
                return general
            }
        }

        private static let general = "YAML that can be parsed"

        private static func place(_ mark: Mark) -> String { "line \(mark.line), column \(mark.column)" }

        /// Whether the line of an error, or the one before it, has a tab in front.
        private static func hasTab(_ text: String, _ mark: Mark) -> Bool {
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            return [mark.line - 2, mark.line - 1].filter(lines.indices.contains).contains { number in
                lines[number].prefix { $0 == " " || $0 == "\t" }.contains("\t")
            }
        }

        /// Returns the name of a duplicate key and its lines. The parser knows only the first one: the next one is
        /// looked for in the same column.
        private static func duplicate(_ key: String, _ first: Mark, in text: String) -> String {
            let name = ConfigurationSources.shown(key)
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let next = lines.indices.dropFirst(first.line).first { number in
                let line = lines[number].dropFirst(first.column - 1)
                guard lines[number].prefix(first.column - 1).allSatisfy({ $0 == " " }) else { return false }
                return [key, "\"\(key)\"", "'\(key)'"].contains { spelled in
                    line.hasPrefix(spelled) && line.dropFirst(spelled.count).drop { $0 == " " }.hasPrefix(":")
                }
            }
            guard let next else { return "'\(name)' is twice in one mapping, first in line \(first.line)" }
            return "'\(name)' is in line \(first.line) and in line \(next + 1)"
        }
    }
#endif

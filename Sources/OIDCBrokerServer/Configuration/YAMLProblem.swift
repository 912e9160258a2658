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
            case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _):
                let mend =
                    hasTab(text, mark)
                    ? "indent with spaces, not with tabs" : advice(problem, begun: context?.mark.line ?? mark.line)
                return "\(general); \(place(mark)): \(problem)\(mend.map { "; \($0)" } ?? "")"
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

        /// Returns how to mend what the parser could not read; `nil` if its words say enough.
        /// - Parameters:
        ///   - problem: The words of the parser.
        ///   - line: The line where it began to read what it could not.
        private static func advice(_ problem: String, begun line: Int) -> String? {
            switch problem {
            case "could not find expected ':'": "line \(line) needs a colon and a space after its key"
            case "mapping values are not allowed in this context":
                "write 'key: value', the keys of one section indented alike; a text with a colon needs quotes"
            case "did not find expected key", "did not find expected '-' indicator":
                "indent the keys of one section alike"
            case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
                "the bracket in line \(line) is not closed"
            case "found unexpected end of stream": "the quotes in line \(line) are not closed"
            case "found character that cannot start any token", "did not find expected alphabetic or numeric character":
                "put a text that begins with such a character in quotes"
            default: nil
            }
        }

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

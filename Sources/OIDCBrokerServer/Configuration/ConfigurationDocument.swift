// SPDX-License-Identifier: Apache-2.0

#if Server
    import JOSE
    import OIDCBroker
    import OIDCBrokerConfiguration
    import OIDCBrokerHTTP
    import Yams

    /// The names of the keys in a configuration file, without their values. swift-configuration cannot list them.
    struct ConfigurationDocument: Sendable {
        /// The format of a file, which is determined by the file's extension.
        enum Format: Sendable {
            case yaml
            case json

            /// Returns the format of a file with that path; `nil` if the extension is unknown.
            init?(path: String) {
                let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
                if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
                    self = .yaml
                } else if name.hasSuffix(".json") {
                    self = .json
                } else {
                    return nil
                }
            }
        }

        /// A key of the file that has a value.
        struct Entry: Sendable {
            /// The names down to the key, separated by dots.
            let key: String
            /// The line of the key, from 1; `nil` if it is not known.
            var line: Int?
            /// Whether the value is null: nothing, `~` or `null`.
            var isNull = false
        }

        /// The keys that have a value.
        let entries: [Entry]
        /// The format of the file.
        let format: Format

        /// The names of the keys.
        var keys: [String] { entries.map(\.key) }

        /// The line of a key; `nil` if it is not known.
        func line(of key: String) -> Int? { entries.first { $0.key == key }?.line }

        /// Reads a file.
        ///
        /// - Throws: One error at `--config`, with the line, the column and the reason of the parser, but without the
        ///   text around it, which may be a secret.
        init(path: String) throws(BrokerConfigurationError) {
            guard let format = Format(path: path) else {
                throw Self.unreadable(path, "a file named .yaml, .yml or .json")
            }
            let bytes: [UInt8]
            do throws(ConfigurationFileError) {
                bytes = try ConfigurationFile.read(atPath: path)
            } catch {
                throw Self.unreadable(path, error.expected(path: path))
            }
            self.format = format
            switch format {
            case .yaml: entries = try Self.yamlEntries(bytes, path: path)
            case .json:
                let keys = try Self.jsonKeys(bytes, path: path)
                // JSON is YAML too, and only that parser knows the lines. They are a convenience.
                let lines = Dictionary(
                    ((try? Self.yamlEntries(bytes, path: path)) ?? []).map { ($0.key, $0.line) },
                    uniquingKeysWith: { first, _ in first })
                entries = keys.map { Entry(key: $0, line: lines[$0] ?? nil) }
            }
        }

        static func unreadable(_ path: String, _ expected: String) -> BrokerConfigurationError {
            BrokerConfigurationError(errors: [.init(key: "--config", source: path, expected: expected)])
        }

        /// A description of the values in a file. It completes the sentence "expected …".
        static let scalars =
            "mappings of texts, numbers, truth values and lists of those; no lists of mappings or of lists"

        /// The maximum number of keys.
        private static let maximumKeys = 20_000

        private static func yamlEntries(_ bytes: [UInt8], path: String) throws(BrokerConfigurationError) -> [Entry] {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw unreadable(path, "YAML in UTF-8; the file has other bytes")
            }
            guard text.unicodeScalars.first != "\u{FEFF}" else {
                throw unreadable(path, "YAML in UTF-8; the file begins with a byte order mark: save it without")
            }
            let root: Yams.Node?
            do {
                root = try Yams.compose(yaml: text)
            } catch {
                throw unreadable(path, YAMLProblem.expected(error, in: text))
            }
            guard let root else { throw unreadable(path, "a YAML mapping at the top; the file has no keys") }
            guard case .mapping(let mapping) = root else {
                throw unreadable(
                    path, "a YAML mapping at the top, such as 'auth:' and its keys below, each indented by spaces")
            }
            var entries: [Entry] = []
            var pending: [(prefix: String, mapping: Yams.Node.Mapping)] = [("", mapping)]
            while let (prefix, mapping) = pending.popLast() {
                for (name, value) in mapping {
                    // A mapping that is named by aliases again and again may stand for billions of keys.
                    guard entries.count + pending.count < maximumKeys else {
                        throw unreadable(path, "at most \(maximumKeys) keys")
                    }
                    let key = prefix + (name.scalar?.string ?? "?")
                    if name.scalar?.string == "<<" {
                        entries.append(Entry(key: key, line: name.mark?.line))
                    } else if case .mapping(let inner) = value {
                        pending.append((key + ".", inner))
                    } else if case .sequence(let list) = value, list.contains(where: { $0.scalar == nil }) {
                        let line = name.mark.map { " in line \($0.line)" } ?? ""
                        throw unreadable(path, scalars + "; '\(ConfigurationSources.shown(key))'\(line) has one")
                    } else {
                        entries.append(
                            Entry(key: key, line: name.mark?.line, isNull: value.tag == Yams.Tag(.null)))
                    }
                }
            }
            return entries
        }

        private static func jsonKeys(_ bytes: [UInt8], path: String) throws(BrokerConfigurationError) -> [String] {
            let root: JSONObject
            do {
                root = try JSONParser.object(bytes, limits: JSONLimits(maximumBytes: ConfigurationFile.maximumBytes))
            } catch {
                throw unreadable(
                    path, "a JSON object that can be parsed, each name once\(reason(of: error, in: bytes))")
            }
            var keys: [String] = []
            var pending: [(prefix: String, object: JSONObject)] = [("", root)]
            while let (prefix, object) = pending.popLast() {
                for member in object.members {
                    if case .object(let inner) = member.value {
                        pending.append((prefix + member.name.makeString() + ".", inner))
                    } else {
                        keys.append(prefix + member.name.makeString())
                    }
                }
            }
            return keys
        }

        /// The line and column of an error, and its reason.
        private static func reason(of error: JSONError, in bytes: [UInt8]) -> String {
            if bytes.isEmpty { return "; the file is empty" }
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return "; the file begins with a byte order mark" }
            guard let offset = error.offset else { return "; \(error)" }
            let before = bytes.prefix(offset)
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            return "; line \(line), column \(offset - start + 1): \(error.reason)"
        }
    }
#endif

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

        /// The keys that have a value, separated by dots, in the order of the file.
        let keys: [String]
        /// The format of the file.
        let format: Format

        /// Reads a file.
        ///
        /// - Throws: One error at `--config`, which names only the line: the messages of parsers quote the text around
        ///   an error, and that may be a secret.
        init(path: String) throws(BrokerConfigurationError) {
            guard let format = Format(path: path) else {
                throw Self.unreadable(path, "a file named .yaml, .yml or .json")
            }
            guard let bytes = ConfigurationFile.contents(atPath: path) else {
                throw Self.unreadable(path, "a file that can be read, at most 1 MiB")
            }
            self.format = format
            switch format {
            case .yaml: keys = try Self.yamlKeys(bytes, path: path)
            case .json: keys = try Self.jsonKeys(bytes, path: path)
            }
        }

        static func unreadable(_ path: String, _ expected: String) -> BrokerConfigurationError {
            BrokerConfigurationError(errors: [.init(key: "--config", source: path, expected: expected)])
        }

        /// The maximum number of keys.
        private static let maximumKeys = 20_000

        private static func yamlKeys(_ bytes: [UInt8], path: String) throws(BrokerConfigurationError) -> [String] {
            let root: Yams.Node?
            do {
                root = try Yams.compose(yaml: String(decoding: bytes, as: UTF8.self))
            } catch {
                throw unreadable(path, "YAML that can be parsed\(line(of: error)), each key once")
            }
            guard case .mapping(let mapping)? = root else {
                throw unreadable(path, "a YAML mapping at the top")
            }
            var keys: [String] = []
            var pending: [(prefix: String, mapping: Yams.Node.Mapping)] = [("", mapping)]
            while let (prefix, mapping) = pending.popLast() {
                for (name, value) in mapping {
                    // A mapping that is named by aliases again and again may stand for billions of keys.
                    guard keys.count + pending.count < maximumKeys else {
                        throw unreadable(path, "at most \(maximumKeys) keys")
                    }
                    let key = prefix + (name.scalar?.string ?? "?")
                    if case .mapping(let inner) = value {
                        pending.append((key + ".", inner))
                    } else {
                        keys.append(key)
                    }
                }
            }
            return keys
        }

        private static func line(of error: any Error) -> String {
            guard let error = error as? YamlError else { return "" }
            switch error {
            case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _):
                return " (line \(mark.line))"
            default:
                return ""
            }
        }

        private static func jsonKeys(_ bytes: [UInt8], path: String) throws(BrokerConfigurationError) -> [String] {
            let root: JSONObject
            do {
                root = try JSONParser.object(bytes, limits: JSONLimits(maximumBytes: ConfigurationFile.maximumBytes))
            } catch {
                throw unreadable(path, "a JSON object that can be parsed, each name once")
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
    }
#endif

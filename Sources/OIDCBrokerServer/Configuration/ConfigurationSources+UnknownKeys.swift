// SPDX-License-Identifier: Apache-2.0

#if Server
    import OIDCBroker
    public import OIDCBrokerConfiguration

    extension ConfigurationSources {
        /// Returns an error for each key in the sources that was not read, with the nearest known key, and for each
        /// value that a source cannot read.
        ///
        /// It is called after everything was read, since a key is known if it was read. In the configuration file every
        /// key is checked; on the command line `--auth-…` and `--server-…`; in the environment `AUTH_…` (other programs
        /// use variables named `SERVER_…`); in the secrets directory `auth-…`.
        /// So is a file named `server-…` that cannot be read an error only if it is a key.
        public func errors() -> [ConfigurationError] {
            let known = accesses.keys
            let files = Set(known.map(ConfigurationSpelling.secretFile.spelled))
            var errors = (secrets?.errors ?? []).filter { $0.key.hasPrefix("auth-") || files.contains($0.key) }
            if let document {
                errors += unknown(
                    document.keys, spelling: .file, source: "configuration file \(documentPath ?? "")", known: known)
            }
            let options = arguments.filter { $0.hasPrefix("--auth-") || $0.hasPrefix("--server-") }
                .map { String($0.prefix { $0 != "=" }) }
            errors += unknown(
                options, spelling: .commandLine, source: ConfigurationAccessRecorder.commandLine, known: known)
            let variables = environment.keys.sorted().filter { $0.hasPrefix("AUTH_") }
            errors += unknown(variables, spelling: .environment, source: "environment", known: known)
            errors += unknown(secrets?.names ?? [], spelling: .secretFile, source: "secret files", known: known)
            return errors
        }

        private func unknown(
            _ names: [String], spelling: ConfigurationSpelling, source: String, known: Set<String>
        ) -> [ConfigurationError] {
            let spelled = Set(known.map(spelling.spelled))
            return names.filter { !spelled.contains($0) }.map { name in
                let expected =
                    if let nearest = ConfigurationSpelling.nearest(to: name, among: spelled) {
                        "a known key; did you mean \(nearest)?"
                    } else if Self.isOfSection(name) {
                        "a known key of a name that auth.providers, auth.apps or auth.sdk-apps lists"
                    } else {
                        "a known key"
                    }
                return ConfigurationError(key: Self.shown(name), source: source, expected: expected)
            }
        }

        /// A name up to the first character that no key has. Where a space was forgotten, a secret may follow.
        private static func shown(_ name: String) -> String {
            let characters = name.utf8.prefix(longestShown).prefix {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains($0)
            }
            return String(decoding: characters, as: UTF8.self)
        }

        /// The maximum length of a name that is shown, in bytes.
        private static let longestShown = 128

        /// Returns whether a name, spelled as in any source, is under `auth.provider.`, `auth.app.` or `auth.sdk-app.`:
        /// its section may not be listed.
        private static func isOfSection(_ name: String) -> Bool {
            let plain = name.lowercased().split { !$0.isLetter && !$0.isNumber }
            guard plain.count > 2, plain[0] == "auth" else { return false }
            return plain[1] == "provider" || plain[1] == "app"
                || (plain.count > 3 && plain[1] == "sdk" && plain[2] == "app")
        }
    }
#endif

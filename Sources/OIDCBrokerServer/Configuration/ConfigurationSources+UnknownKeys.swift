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
        public func errors() -> [ConfigurationError] { errors(besides: []) }

        /// Returns the same errors beside those that were found in values.
        ///
        /// - Parameter found: The errors in values. Where a list of names is one, the sections of it are not judged.
        func errors(besides found: [ConfigurationError]) -> [ConfigurationError] {
            let known = accesses.keys
            let files = Set(known.map(ConfigurationSpelling.secretFile.spelled))
            // A list that is missing altogether is named with its sections.
            let unread = Set(found.filter { $0.source != nil }.map(\.key))
            var errors = (secrets?.errors ?? []).filter { $0.key.hasPrefix("auth-") || files.contains($0.key) }
            if let document {
                // A section without keys, such as one with only comments, is absent.
                let keys = document.entries.filter { entry in
                    !(entry.isNull && known.contains { $0.hasPrefix(entry.key + ".") })
                }.map(\.key)
                errors += located(nullErrors)
                errors += unknown(keys, spelling: .file, known: known, besides: unread) { documentSource(of: $0) }
            }
            let options = arguments.filter { $0.hasPrefix("--auth-") || $0.hasPrefix("--server-") }
                .map { String($0.prefix { $0 != "=" }) }
            errors += unknown(
                options, spelling: .commandLine, known: known, besides: unread
            ) { _ in ConfigurationAccessRecorder.commandLine }
            let variables = environment.keys.sorted().filter { $0.hasPrefix("AUTH_") }
            errors += unknown(variables, spelling: .environment, known: known, besides: unread) { _ in "environment" }
            errors += unknown(
                secrets?.names ?? [], spelling: .secretFile, known: known, besides: unread
            ) { _ in "secret files" }
            return errors
        }

        /// Returns errors with one for each listed name without a key in any source, instead of the errors of its keys,
        /// if there are several.
        func joiningMissingSections(_ errors: [ConfigurationError]) -> [ConfigurationError] {
            let given = accesses.keys.filter { accesses.source(of: $0) != nil }
            let sections = errors.map { error in error.source == nil ? UnlistedSection.section(of: error.key) : nil }
            var joined: Set<String> = []
            return zip(errors, sections).compactMap { error, section in
                guard let section, let list = UnlistedSection.list(of: error.key),
                    sections.count(where: { $0 == section }) > 1,
                    !given.contains(where: { $0.hasPrefix(section + ".") })
                else { return error }
                guard joined.insert(section).inserted else { return nil }
                return ConfigurationError(key: section, expected: "keys below it, since \(list) lists its name")
            }
        }

        /// Returns errors with the line of their key, where it is one of the configuration file.
        func located(_ errors: [ConfigurationError]) -> [ConfigurationError] {
            let source = Self.documentSource(documentPath)
            let nulls = nullKeys
            return errors.filter { !nulls.contains($0.key) || $0.expected == Self.nullExpected }.map { error in
                guard error.source == source else { return error }
                return ConfigurationError(
                    key: error.key, source: documentSource(of: error.key), expected: error.expected)
            }
        }

        /// The name of the configuration file as a source, with the line of a key if that is known.
        private func documentSource(of key: String) -> String {
            Self.documentSource(documentPath) + (document?.line(of: key).map { ", line \($0)" } ?? "")
        }

        /// The keys of the configuration file whose value is in use and is null: it arrives as a text such as `null`.
        private var nullKeys: Set<String> {
            let source = Self.documentSource(documentPath)
            return Set((document?.entries ?? []).filter(\.isNull).map(\.key)).filter {
                accesses.source(of: $0) == source
            }
        }

        private static let nullExpected = "a value, not null; write one, or leave the key out"

        private var nullErrors: [ConfigurationError] {
            let keys = nullKeys
            return (document?.entries ?? []).filter { keys.contains($0.key) }.map {
                ConfigurationError(
                    key: $0.key, source: Self.documentSource(documentPath), expected: Self.nullExpected)
            }
        }

        private func unknown(
            _ names: [String], spelling: ConfigurationSpelling, known: Set<String>, besides unread: Set<String>,
            source: (String) -> String
        ) -> [ConfigurationError] {
            let spelled = Set(known.map(spelling.spelled))
            var errors: [ConfigurationError] = []
            var sections: Set<UnlistedSection> = []
            for name in names where !spelled.contains(name) {
                let expected: String
                if name.hasSuffix("<<") {
                    expected = "no merge key (<<), which is not supported; write the keys out"
                } else if let section = UnlistedSection(name, known: known) {
                    // One line for each section is enough.
                    guard !unread.contains(section.list), sections.insert(section).inserted else { continue }
                    expected = section.expected
                } else if spelling == .file, let key = spelled.sorted().first(where: { $0.hasPrefix(name + ".") }) {
                    expected = "keys below it, such as \(key)"
                } else if spelling == .file, let key = spelled.first(where: { name.hasPrefix($0 + ".") }) {
                    expected = "no keys below \(key), which takes one value or a list"
                } else if let nearest = ConfigurationSpelling.nearest(to: name, among: spelled)
                    ?? ConfigurationSpelling.sameEnding(as: name, among: spelled)
                {
                    expected = "a known key; did you mean \(nearest)?"
                } else {
                    expected = "a known key"
                }
                errors.append(ConfigurationError(key: Self.shown(name), source: source(name), expected: expected))
            }
            return errors
        }

        /// A name up to the first character that no key has. Where a space was forgotten, a secret may follow.
        static func shown(_ name: String) -> String {
            let characters = name.utf8.prefix(longestShown).prefix {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains($0)
            }
            let shown = String(decoding: characters, as: UTF8.self)
            return shown.hasSuffix(".") ? String(shown.dropLast()) : shown
        }

        /// The maximum length of a name that is shown, in bytes.
        private static let longestShown = 128
    }
#endif

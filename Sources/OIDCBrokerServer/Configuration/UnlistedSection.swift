// SPDX-License-Identifier: Apache-2.0

#if Server
    import OIDCBrokerConfiguration

    /// A section of a provider or an app that has keys although no list has its name.
    struct UnlistedSection: Hashable {
        /// The key of the list that lacks the name, such as `auth.providers`.
        let list: String
        /// What the keys begin with, such as `auth.provider.`.
        private let prefix: String
        /// The name of the section.
        private let name: String
        /// Whether the keys are under the key of the list, where a section of a provider does not belong.
        private let isUnderList: Bool

        /// The lists, and what the keys of their sections begin with.
        private static let lists = [
            (list: "auth.providers", prefix: "auth.provider."), (list: "auth.apps", prefix: "auth.app."),
            (list: "auth.sdk-apps", prefix: "auth.sdk-app."),
        ]

        /// Finds the section of a name that is no known key, spelled as in any source; `nil` if it is of no section, if
        /// the section is listed, or if its name is nearly that of one that is.
        init?(_ key: String, known: Set<String>) {
            let plain = key.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
            for (list, prefix) in Self.lists {
                for (start, isUnderList) in [(prefix, false), (list, true)] {
                    let parts = start.split { $0 == "." || $0 == "-" }.map(String.init)
                    guard plain.starts(with: parts), plain.count > parts.count + 1 else { continue }
                    let name = plain[parts.count]
                    let listed = Set(
                        known.filter { $0.hasPrefix(prefix) }
                            .map { String($0.dropFirst(prefix.count).prefix { $0 != "." }) })
                    guard isUnderList || !listed.contains(name) else { return nil }
                    // What is not a name cannot be listed.
                    guard ConfigurationName.isValid(name) else { return nil }
                    if !isUnderList, name.count > 3,
                        listed.contains(where: { ConfigurationSpelling.distance($0, name) == 1 })
                    {
                        return nil
                    }
                    self.list = list
                    self.prefix = prefix
                    self.name = name
                    self.isUnderList = isUnderList
                    return
                }
            }
            return nil
        }

        /// Returns the key of the list that names the section of a key, such as `auth.apps`; `nil` if no list does.
        static func list(of key: String) -> String? { lists.first { key.hasPrefix($0.prefix) }?.list }

        /// Returns the section of a listed name that a key is in, such as `auth.app.web`; `nil` if it is in none.
        static func section(of key: String) -> String? {
            list(of: key) == nil ? nil : key.split(separator: ".").prefix(3).joined(separator: ".")
        }

        /// What was expected, and the mend.
        var expected: String {
            isUnderList
                ? "a list of names; add `\(name)` to \(list), and write its keys under \(prefix)\(name)"
                : "a name that is listed; add `\(name)` to \(list)"
        }
    }
#endif

// SPDX-License-Identifier: Apache-2.0

/// A collector of the errors in a section whose keys begin with a prefix.
struct Rules<Section: SettingSection> {
    /// The prefix of the keys, including its dot.
    let prefix: String
    /// The errors that were found so far.
    private(set) var errors: [ConfigurationError] = []

    /// Creates the rules for a section, beginning with the errors in the bounds of its settings.
    init(_ section: Section, prefix: String) {
        self.prefix = prefix
        errors = section.boundsErrors(prefix: prefix)
    }

    /// Adds an error at the member's key if a condition is false and the key is not an error already.
    mutating func require(_ condition: Bool, _ member: PartialKeyPath<Section>, _ expected: String) {
        guard !condition else { return }
        add([Section.error(member, prefix: prefix, expected: expected)])
    }

    /// Adds errors that were found elsewhere, except at keys that are errors already.
    mutating func add(_ found: [ConfigurationError]) {
        for error in found where !isError(error.key) { errors.append(error) }
    }

    /// Returns whether a key is an error already.
    func isError(_ key: String) -> Bool { errors.contains { $0.key == key } }
}

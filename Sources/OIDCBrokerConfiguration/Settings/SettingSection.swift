// SPDX-License-Identifier: Apache-2.0

/// A part of the configuration whose keys have a common prefix, with a list of its settings.
package protocol SettingSection: Sendable {
    /// Every key of the section, in the order in which the keys are read and documented.
    static var settings: [Setting<Self>] { get }
}

extension SettingSection {
    /// Returns the keys of a member, beginning with the one to name in an error. If it has none, the member's own name
    /// is returned.
    package static func keys(of member: PartialKeyPath<Self>) -> [String] {
        let keys = settings.filter { $0.isAbout(member) }.map(\.key)
        return keys.isEmpty ? ["\(member)"] : keys
    }

    /// Returns the key of a member, or the member's own name if it has none.
    package static func key(of member: PartialKeyPath<Self>) -> String { keys(of: member)[0] }

    /// Returns an error at the key of a member, after a prefix.
    package static func error(
        _ member: PartialKeyPath<Self>, prefix: String, source: String? = nil, expected: String
    ) -> ConfigurationError {
        ConfigurationError(key: prefix + key(of: member), source: source, expected: expected)
    }

    /// Returns a description of the values that the key of a member accepts. It completes the sentence "expected …".
    package func takes(_ member: PartialKeyPath<Self>) -> String {
        Self.settings.first { $0.isAbout(member) }.map { $0.declaration(for: self).takes } ?? "a value"
    }

    /// Returns the errors for values that are out of bounds.
    package func boundsErrors(prefix: String) -> [ConfigurationError] {
        Self.settings.filter { $0.refusal(in: self) == nil }.compactMap { setting in
            setting.declaration(for: self).error(self).map {
                ConfigurationError(key: prefix + setting.key, expected: $0)
            }
        }
    }

    /// Returns an error for each value that differs from another section's although this kind of section does not have
    /// its key: it may not be changed in code either.
    package func refusedErrors(prefix: String, comparedWith unchanged: Self) -> [ConfigurationError] {
        Self.settings.compactMap { setting in
            guard let refusal = setting.refusal(in: self), !setting.isSame(in: self, and: unchanged) else { return nil }
            return ConfigurationError(key: prefix + setting.key, expected: refusal)
        }
    }
}

extension ConfigurationValues {
    /// Reads every setting of a section whose keys have a prefix. A missing value leaves its member unchanged. A key
    /// that the section does not have is refused.
    /// - Returns: The members whose keys have a value.
    @discardableResult
    package mutating func read<Section: SettingSection>(
        _ section: inout Section, prefix: String
    ) async -> Set<PartialKeyPath<Section>> {
        var given: Set<PartialKeyPath<Section>> = []
        for setting in Section.settings {
            if let refusal = setting.refusal(in: section) {
                await refuse(setting, prefix: prefix, expected: refusal)
            } else if await setting.read(&section, key: prefix + setting.key, from: &self) {
                given.insert(setting.member)
            }
        }
        return given
    }

    /// Adds an error for a setting, or its `-file` variant, that has a value of any type.
    package mutating func refuse<Section>(_ setting: Setting<Section>, prefix: String, expected: String) async {
        let key = prefix + setting.key
        for key in setting.hasFileVariant ? [key, key + "-file"] : [key] {
            await refuse(key, expected: expected)
        }
    }
}

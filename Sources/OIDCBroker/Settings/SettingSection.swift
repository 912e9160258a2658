// SPDX-License-Identifier: Apache-2.0

/// A part of the configuration whose keys begin with the same words, and that has a list of its settings.
package protocol SettingSection: Sendable {
    /// Every key of the section, in the order in which they are read and documented.
    static var settings: [Setting<Self>] { get }
}

extension SettingSection {
    /// The keys that a member is made of, the one to name in an error first; the member's own name if it has none.
    package static func keys(of member: PartialKeyPath<Self>) -> [String] {
        let keys = settings.filter { $0.isAbout(member) }.map(\.key)
        return keys.isEmpty ? ["\(member)"] : keys
    }

    /// The key of a member; the member's own name if it has none.
    package static func key(of member: PartialKeyPath<Self>) -> String { keys(of: member)[0] }

    /// An error at the key of a member, which begins with a prefix.
    package static func error(
        _ member: PartialKeyPath<Self>, prefix: String, source: String? = nil, expected: String
    ) -> ConfigurationError {
        ConfigurationError(key: prefix + key(of: member), source: source, expected: expected)
    }

    /// What the key of a member takes; completes the sentence "expected …".
    func takes(_ member: PartialKeyPath<Self>) -> String {
        Self.settings.first { $0.isAbout(member) }.map { $0.declaration(for: self).takes } ?? "a value"
    }

    /// What is out of bounds, for keys that begin with a prefix.
    package func boundsErrors(prefix: String) -> [ConfigurationError] {
        Self.settings.filter { $0.refusal(in: self) == nil }.compactMap { setting in
            setting.declaration(for: self).error(self).map {
                ConfigurationError(key: prefix + setting.key, expected: $0)
            }
        }
    }

    /// What is not as in another section although this kind of section has no key for it: it is not to be changed in
    /// code either.
    func refusedErrors(prefix: String, comparedWith unchanged: Self) -> [ConfigurationError] {
        Self.settings.compactMap { setting in
            guard let refusal = setting.refusal(in: self), !setting.isSame(in: self, and: unchanged) else { return nil }
            return ConfigurationError(key: prefix + setting.key, expected: refusal)
        }
    }
}

extension ConfigurationValues {
    /// Reads every setting of a section whose keys begin with a prefix. What is not given is left as it is; what the
    /// section has no use for is refused.
    /// - Returns: the members that were given.
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

    /// Adds an error for a setting, or its variant with `-file`, that has a value, of whatever type.
    package mutating func refuse<Section>(_ setting: Setting<Section>, prefix: String, expected: String) async {
        let key = prefix + setting.key
        for key in setting.hasFileVariant ? [key, key + "-file"] : [key] {
            await refuse(key, expected: expected)
        }
    }
}

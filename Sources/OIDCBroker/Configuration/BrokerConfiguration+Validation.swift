// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// Everything that is wrong, judged by all rules; empty for a configuration a broker can run with.
    ///
    /// ``ConfigurationMistake/source`` is nil: a plain value does not know where it came from.
    public func validate() -> [ConfigurationMistake] {
        var mistakes: [ConfigurationMistake] = []
        if !ConfigurationSyntax.isPlainPath(pathPrefix) {
            mistakes.append(.init(key: "auth.path-prefix", expected: Self.plainPath))
        }
        mistakes += keyMistakes()
        mistakes += nameMistakes(key: "auth.providers", names: providers.map(\.name))
        mistakes += providers.flatMap { $0.mistakes(in: self) }
        mistakes += nameMistakes(key: "auth.apps", names: apps.map(\.name))
        mistakes += apps.flatMap { $0.mistakes(in: self) }
        mistakes += webhookMistakes()
        if let appleDomainAssociation, !(1...Self.longestAppleDomainAssociation).contains(appleDomainAssociation.count)
        {
            mistakes.append(
                .init(
                    key: "auth.apple-domain-association",
                    expected: "the contents of Apple's file, 1 to \(Self.longestAppleDomainAssociation) bytes"))
        }
        if !InMemorySingleUseStore.allowedBytes.contains(storeBytes) {
            mistakes.append(.init(key: "auth.store-bytes", expected: Self.storeSize))
        }
        return mistakes
    }

    /// What the store may take; completes the sentence "expected …".
    static let storeSize = "a number of bytes, 8388608 to 68719476736 (8 MiB to 64 GiB)"

    /// The longest ``appleDomainAssociation``, bytes.
    static let longestAppleDomainAssociation = 65_536

    /// What a path is; completes the sentence "expected …".
    static let plainPath =
        "an absolute path of letters, digits, '-', '.', '_' and '~' between slashes, without a slash at its end"

    private func nameMistakes(key: String, names: [String]) -> [ConfigurationMistake] {
        if names.isEmpty {
            return [.init(key: key, expected: "at least one name, required")]
        }
        guard names.allSatisfy(ConfigurationName.isValid), Set(names).count == names.count else {
            return [.init(key: key, expected: ConfigurationName.expectation)]
        }
        return []
    }
}

// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// Everything that is wrong, validated by all rules; empty for a configuration a broker can run with.
    ///
    /// ``ConfigurationError/source`` is nil: a plain value does not know where it came from.
    public func validate() -> [ConfigurationError] {
        var errors: [ConfigurationError] = []
        if !ConfigurationSyntax.isPlainPath(pathPrefix) {
            errors.append(.init(key: "auth.path-prefix", expected: Self.plainPath))
        }
        errors += keyErrors()
        errors += nameErrors(key: "auth.providers", names: providers.map(\.name))
        errors += providers.flatMap { $0.errors(in: self) }
        errors += nameErrors(key: "auth.apps", names: apps.map(\.name))
        errors += apps.flatMap { $0.errors(in: self) }
        errors += webhookErrors()
        if let appleDomainAssociation, !(1...Self.longestAppleDomainAssociation).contains(appleDomainAssociation.count)
        {
            errors.append(
                .init(
                    key: "auth.apple-domain-association",
                    expected: "the contents of Apple's file, 1 to \(Self.longestAppleDomainAssociation) bytes"))
        }
        if !InMemorySingleUseStore.allowedBytes.contains(storeBytes) {
            errors.append(.init(key: "auth.store-bytes", expected: Self.storeSize))
        }
        return errors
    }

    /// What the store may take; completes the sentence "expected …".
    static let storeSize = "a number of bytes, 8388608 to 68719476736 (8 MiB to 64 GiB)"

    /// The longest ``appleDomainAssociation``, bytes.
    static let longestAppleDomainAssociation = 65_536

    /// What a path is; completes the sentence "expected …".
    static let plainPath =
        "an absolute path of letters, digits, '-', '.', '_' and '~' between slashes, without a slash at its end"

    private func nameErrors(key: String, names: [String]) -> [ConfigurationError] {
        if names.isEmpty {
            return [.init(key: key, expected: "at least one name, required")]
        }
        guard names.allSatisfy(ConfigurationName.isValid), Set(names).count == names.count else {
            return [.init(key: key, expected: ConfigurationName.expectation)]
        }
        return []
    }
}

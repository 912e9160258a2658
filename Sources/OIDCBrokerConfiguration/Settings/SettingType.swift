// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDRelyingParty

/// A type of values, which determines how they are read and shown in the tables.
package struct SettingType<Value: Sendable & Equatable>: Sendable {
    /// A description of the accepted values. It completes the sentence "expected …".
    package let takes: String
    /// Whether values are secrets.
    package var isSecret = false
    /// Whether there is a `-file` variant.
    package var hasFileVariant = false
    /// A closure that returns a value as it is shown in the tables.
    package let show: @Sendable (Value) -> String
    /// A closure that reads the value at a key; `nil` if there is none or it is an error, which the closure adds.
    package let read: @Sendable (_ key: String, _ expected: String, _ values: inout ConfigurationValues) async -> Value?

    /// Creates a type of values.
    package init(
        takes: String, show: @escaping @Sendable (Value) -> String = { _ in "none" },
        read:
            @escaping @Sendable (_ key: String, _ expected: String, _ values: inout ConfigurationValues) async -> Value?
    ) {
        self.takes = takes
        self.show = show
        self.read = read
    }

    /// The same type for secrets, which may be in files.
    fileprivate var secret: Self {
        var type = self.orFile
        type.isSecret = true
        return type
    }

    /// The same type for values that may be in files.
    fileprivate var orFile: Self {
        var type = self
        type.hasFileVariant = true
        return type
    }

    /// Returns a type of values with names.
    package static func named(
        _ takes: String, _ make: @escaping @Sendable (String) -> Value?,
        show: @escaping @Sendable (Value) -> String
    ) -> Self {
        SettingType(takes: takes, show: { "`\(show($0))`" }) { key, expected, values in
            guard let text = await values.string(key, expected: expected) else { return nil }
            let value = make(text)
            if value == nil { values.add(key, expected: expected) }
            return value
        }
    }

    /// Returns a type of lists whose elements are written as texts.
    static func listed<Element>(
        _ takes: String, _ make: @escaping @Sendable (String) -> Element?
    ) -> Self where Value == [Element] {
        SettingType(takes: takes) { key, _, values in
            guard let texts = await values.list(key) else { return nil }
            let elements = texts.compactMap(make)
            if elements.count != texts.count { values.add(key, expected: takes) }
            return elements
        }
    }
}

extension SettingType where Value == String {
    /// A text.
    package static let text = SettingType(takes: "a text", show: { $0.isEmpty ? "none" : "`\($0)`" }) {
        key, expected, values in
        await values.string(key, expected: expected)
    }

    /// A text, or a file that contains it.
    static let textOrFile = SettingType(takes: "a text") { key, _, values in await values.text(key) }.orFile
}

extension SettingType where Value == [String] {
    /// A list of texts.
    package static let list = SettingType(
        takes: "a list of texts",
        show: { $0.isEmpty ? "none" : $0.map { "`\($0)`" }.joined(separator: ", ") },
        read: { key, _, values in await values.list(key) })

    /// A list of names of sections. Invalid names are an error and are omitted, so that they do not become parts of
    /// keys.
    package static let names = SettingType(takes: ConfigurationName.expectation) { key, expected, values in
        guard let given = await values.list(key, expected: "a list of names, such as [one, two]") else { return nil }
        var names: [String] = []
        for name in given where ConfigurationName.isValid(name) && !names.contains(name) { names.append(name) }
        if names.count != given.count {
            values.add(key, expected: expected + ConfigurationName.reason(of: given))
        }
        return names
    }
}

extension SettingType where Value == Bool {
    /// A Boolean.
    package static let bool = SettingType(takes: "true or false", show: { "`\($0)`" }) { key, _, values in
        await values.bool(key)
    }
}

extension SettingType where Value == Int {
    /// An integer.
    package static let integer = SettingType(takes: "a whole number", show: { "`\($0)`" }) { key, expected, values in
        await values.int(key, expected: expected)
    }
}

extension SettingType where Value == Duration {
    /// A number of whole seconds.
    package static let seconds = SettingType(takes: "whole seconds", show: { "`\($0.components.seconds)`" }) {
        key, expected, values in
        await values.int(key, expected: expected).map { .seconds($0) }
    }
}

extension SettingType where Value == [UInt8] {
    /// A text, or a file that contains it byte for byte.
    static let bytesOrFile = SettingType(takes: "a text") { key, _, values in await values.bytes(key) }.orFile

    /// Returns the type of the contents of a file whose path is given.
    package static func file(_ takes: String) -> Self {
        SettingType(takes: takes) { key, expected, values in await values.fileContents(key, expected: expected) }
    }
}

extension SettingType {
    /// Returns the type of a secret text, or of a file that contains it.
    package static func secret(_ takes: String = "a text") -> SettingType<Secret> where Value == Secret {
        SettingType(takes: takes) { key, _, values in await values.secret(key).map { Secret($0) } }.secret
    }
}

extension SettingType where Value == [Secret] {
    /// Returns the type of a list of secrets, or of a file with one on each line.
    package static func secrets(_ takes: String) -> Self {
        SettingType(takes: takes) { key, _, values in await values.secretList(key).map { $0.map { Secret($0) } } }
            .secret
    }

    /// Returns the type of the private keys of a secret PEM text, or of a file that contains it, which may have their
    /// certificates as well. A text without a private key is kept as it is, and its key is refused.
    package static func secretBlocks(_ takes: String) -> Self {
        SettingType(takes: takes) { key, _, values in
            await values.secret(key).map { text in
                let keys = PEMBlocks.privateKeys(in: text)
                return (keys.isEmpty ? PEMBlocks.split(text) : keys).map { Secret($0) }
            }
        }.secret
    }
}

extension SettingType where Value == [BrokerConfiguration.NativeAudience] {
    /// A list of audiences at providers.
    package static let nativeAudiences = SettingType(
        takes: "a list of provider:audience, such as apple.com:com.example.app"
    ) { key, _, values in
        await values.list(key).map { $0.map { BrokerConfiguration.NativeAudience(entry: $0) } }
    }
}

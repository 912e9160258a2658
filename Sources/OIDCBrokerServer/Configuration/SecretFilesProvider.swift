// SPDX-License-Identifier: Apache-2.0

#if Server
    import JOSE
    import Configuration
    import OIDCBroker
    import OIDCBrokerConfiguration

    /// The values of the files of a secrets directory, which were read before. Values are converted by the rules of
    /// swift-configuration's own provider of a directory, which reads files of any size.
    struct SecretFilesProvider: ConfigProvider, ConfigSnapshot, Unprinted {
        /// The reason why there is no value: the file does not contain one of the wanted type.
        private struct NotConvertible: Error {}

        private let contents: [String: [UInt8]]

        /// Creates a provider.
        /// - Parameter contents: The contents of the files, by their names.
        init(contents: [String: [UInt8]]) { self.contents = contents }

        let providerName = "secret files"

        func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
            let name = key.components.joined(separator: "-")
            guard let bytes = contents[name] else { return LookupResult(encodedKey: name, value: nil) }
            guard let content = Self.content(of: bytes, as: type) else { throw NotConvertible() }
            return LookupResult(encodedKey: name, value: ConfigValue(content, isSecret: true))
        }

        func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
            try value(forKey: key, type: type)
        }

        // Swift 6.2 and 6.3 format `nonisolated(nonsending) (` differently.
        // swift-format-ignore
        nonisolated(nonsending) func watchValue<Return: ~Copyable>(
            forKey key: AbsoluteConfigKey,
            type: ConfigType,
            updatesHandler:
                nonisolated(nonsending) (
                    _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
                ) async throws -> Return
        ) async throws -> Return {
            try await watchValueFromValue(forKey: key, type: type, updatesHandler: updatesHandler)
        }

        func snapshot() -> any ConfigSnapshot { self }

        // swift-format-ignore
        nonisolated(nonsending) func watchSnapshot<Return: ~Copyable>(
            updatesHandler:
                nonisolated(nonsending) (
                    _ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>
                ) async throws -> Return
        ) async throws -> Return {
            try await watchSnapshotFromSnapshot(updatesHandler: updatesHandler)
        }

        // Printing shows no contents.
        var description: String { "SecretFilesProvider[\(contents.count) files]" }

        // MARK: Conversion

        private static func content(of bytes: [UInt8], as type: ConfigType) -> ConfigContent? {
            let text = trimmed(ConfigurationValues.text(ofFile: bytes)[...])
            switch type {
            case .string: return ConfigContent.string(text)
            case .int: return Int(text).map { ConfigContent.int($0) }
            case .double: return Double(text).map { ConfigContent.double($0) }
            case .bool: return Bool(text).map { ConfigContent.bool($0) }
            case .bytes: return ConfigContent.bytes(bytes)
            case .stringArray: return ConfigContent.stringArray(elements(of: text))
            case .intArray: return list(text) { Int($0) }.map { ConfigContent.intArray($0) }
            case .doubleArray: return list(text) { Double($0) }.map { ConfigContent.doubleArray($0) }
            case .boolArray: return list(text) { Bool($0) }.map { ConfigContent.boolArray($0) }
            case .byteChunkArray: return ConfigContent.byteChunkArray([bytes])
            }
        }

        /// Converts each element of a list; `nil` if one of them cannot be converted.
        private static func list<Element>(_ text: String, _ convert: (String) -> Element?) -> [Element]? {
            let parts = elements(of: text)
            let converted = parts.compactMap(convert)
            return converted.count == parts.count ? converted : nil
        }

        private static func elements(of text: String) -> [String] {
            text.split(separator: ",").map { trimmed($0) }
        }

        private static func trimmed(_ text: Substring) -> String {
            var text = text.drop(while: \.isWhitespace)
            while text.last?.isWhitespace == true { text.removeLast() }
            return String(text)
        }
    }
#endif

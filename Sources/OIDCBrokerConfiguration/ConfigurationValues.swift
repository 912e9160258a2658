// SPDX-License-Identifier: Apache-2.0

package import Configuration

/// A reader of a configuration's values that collects every error instead of stopping at the first.
///
/// It uses only the fetching functions of `ConfigReader`: the others hide malformed values behind the default.
package struct ConfigurationValues: Sendable {
    private let config: ConfigReader
    private let accesses: ConfigurationAccessRecorder?
    /// The files named by `-file` variants, by the key without the suffix, if the value was read from them.
    private var filesByKey: [String: String] = [:]
    /// The keys whose `-file` variant names an empty file.
    private var keysOfEmptyFiles: Set<String> = []
    /// The keys with a `-file` variant whose own value looks like a path.
    private var keysOfPaths: Set<String> = []
    /// The files with secrets that users other than their owner and its group can read or write, each at its key.
    package private(set) var exposedSecretFiles: [ConfigurationError] = []
    /// The errors that were found so far.
    package private(set) var errors: [ConfigurationError] = []

    /// Creates a reader of values. The recorder, if it is the access reporter of `config`, provides the sources of
    /// values.
    package init(config: ConfigReader, accesses: ConfigurationAccessRecorder?) {
        self.config = config
        self.accesses = accesses
    }

    /// Reads the text at a key; `nil` if there is none or it is an error.
    package mutating func string(
        _ key: String, expected: String = "one text, not a list (JSON: in quotes)", isSecret: Bool = false
    ) async
        -> String?
    {
        let value: String?
        do {
            value = try await config.fetchString(forKey: ConfigKey(key), isSecret: isSecret)
        } catch {
            value = nil
            if !isSecret || !isOnCommandLine(key) {
                let isList = (try? await config.fetchStringArray(forKey: ConfigKey(key), isSecret: isSecret)) != nil
                let advice = isList && !expected.contains("not a list") ? "; the value is a list: write one text" : ""
                add(key, expected: expected + advice)
            }
        }
        return isSecret && refusesCommandLine(key) ? nil : value
    }

    /// Reads the list at a key; `nil` if there is none or it is an error. An empty text is an empty list.
    package mutating func list(
        _ key: String, expected: String = "a list of texts, such as [one, two]", isSecret: Bool = false
    ) async -> [String]? {
        let value: [String]?
        do {
            value = try await config.fetchStringArray(forKey: ConfigKey(key), isSecret: isSecret)
        } catch {
            value = nil
            if !isSecret || !isOnCommandLine(key) { add(key, expected: expected) }
        }
        if isSecret && refusesCommandLine(key) { return nil }
        return value == [""] ? [] : value
    }

    /// Reads the Boolean at a key; `nil` if there is none or it is an error.
    package mutating func bool(_ key: String) async -> Bool? {
        do {
            return try await config.fetchBool(forKey: ConfigKey(key))
        } catch {
            switch await quoted(key) {
            case "true": return true
            case "false": return false
            default: break
            }
            add(key, expected: "true or false")
            return nil
        }
    }

    /// Reads the integer at a key; `nil` if there is none or it is an error.
    package mutating func int(_ key: String, expected: String) async -> Int? {
        do {
            return try await config.fetchInt(forKey: ConfigKey(key))
        } catch {
            let text = await quoted(key)
            if let number = text.flatMap({ Int($0) }) { return number }
            let hasUnit = text?.first?.isNumber == true && text?.contains(where: \.isLetter) == true
            add(key, expected: expected + (hasUnit ? "; write the number alone, without a unit" : ""))
            return nil
        }
    }

    /// Returns a number or a truth value that a configuration file has in quotes, which makes it a text there.
    private func quoted(_ key: String) async -> String? {
        try? await config.fetchString(forKey: ConfigKey(key))
    }

    /// Returns the Boolean at a key that is written as `true` or `false`; `nil` for any other value. In the environment,
    /// where everything is a text, `1` is none.
    package func writtenBool(_ key: String) async -> Bool? {
        switch await quoted(key) {
        case "true": true
        case "false": false
        case nil: try? await config.fetchBool(forKey: ConfigKey(key))
        default: nil
        }
    }

    /// Reads the secret text at a key, or in the file named by its `-file` variant, without trailing white space.
    package mutating func secret(_ key: String) async -> String? {
        await text(key, isSecret: true)
    }

    /// Reads the text at a key, or in the file named by its `-file` variant, without trailing white space.
    package mutating func text(_ key: String, isSecret: Bool = false) async -> String? {
        let text = await string(key, isSecret: isSecret)
        noteIfPath(text, key)
        if isSecret, let text, keysOfPaths.contains(key), ConfigurationFile.contents(atPath: text) != nil {
            add(key, expected: "the secret itself, not a path; for a path, use \(key)-file")
            return nil
        }
        let file = await fileVariant(of: key, isGiven: text != nil, isSecret: isSecret)
        return text ?? file.map(Self.text(ofFile:))
    }

    /// Reads the bytes of the text at a key, or the whole file named by its `-file` variant.
    package mutating func bytes(_ key: String) async -> [UInt8]? {
        let text = await string(key)
        noteIfPath(text, key)
        let file = await fileVariant(of: key, isGiven: text != nil, isSecret: false)
        return text.map { Array($0.utf8) } ?? file
    }

    /// Returns the file that the value at a key was read from; `nil` if it was not read from a file.
    package func file(of key: String) -> String? { filesByKey[key] }

    /// Reads the secret list at a key, or the lines of the file named by its `-file` variant. Empty lines are skipped.
    package mutating func secretList(_ key: String) async -> [String]? {
        let list = await self.list(key, isSecret: true)
        noteIfPath(list?.first, key)
        let file = await fileVariant(of: key, isGiven: list != nil, isSecret: true)
        return list
            ?? file.map { Self.text(ofFile: $0) }?.split(whereSeparator: \.isNewline)
            .map { Self.withoutTrailingWhitespace(String($0)) }
            .filter { !$0.isEmpty }
    }

    /// Reads the contents of the file that a key names; `nil` if there is none or it is an error.
    package mutating func fileContents(_ key: String, expected: String) async -> [UInt8]? {
        guard let path = await string(key) else { return nil }
        noteFile(path)
        do throws(ConfigurationFileError) {
            return try ConfigurationFile.read(atPath: path)
        } catch {
            add(key, expected: error.expected(expected, path: path))
            return nil
        }
    }

    /// Adds an error if a key has a value of any type.
    package mutating func refuse(_ key: String, expected: String) async {
        // A value that is not a text is a value too.
        let value = try? await config.fetchString(forKey: ConfigKey(key), isSecret: true, default: "")
        if value != "" { add(key, expected: expected) }
    }

    /// Records a file that a key names, so that a change of it is noticed.
    /// - Parameter isReadAgain: Whether what uses the file reads it again by itself.
    package func noteFile(_ path: String, isReadAgain: Bool = false) {
        accesses?.noteFile(path, isReadAgain: isReadAgain)
    }

    /// Adds an error at a key that was read.
    package mutating func add(_ key: String, expected: String) {
        errors.append(ConfigurationError(key: key, source: accesses?.source(of: key), expected: expected))
    }

    /// Adds errors that the validation found in values read here: each with its source and at the key that was given,
    /// unless reading that key was an error already.
    package mutating func add(_ found: [ConfigurationError]) {
        let known = Set(errors.map(\.key))
        for error in found where !known.contains(error.key) && !known.contains(error.key + "-file") {
            let key = filesByKey[error.key] == nil ? error.key : error.key + "-file"
            let isEmpty = keysOfEmptyFiles.contains(error.key)
            let reason = isEmpty ? "; \(ConfigurationFileError.shown(filesByKey[error.key] ?? "")) is empty" : ""
            let advice = keysOfPaths.contains(error.key) ? "; for a path, use \(error.key)-file" : ""
            add(key, expected: error.expected + reason + advice)
        }
    }

    private mutating func noteIfPath(_ text: String?, _ key: String) {
        guard let text, text.hasPrefix("/") || text.hasPrefix("./"), text.utf8.count <= 1024,
            text.dropFirst().contains(where: { $0 == "/" || $0 == "." })
        else { return }
        keysOfPaths.insert(key)
    }

    private mutating func fileVariant(of key: String, isGiven: Bool, isSecret: Bool) async -> [UInt8]? {
        let variant = key + "-file"
        guard let path = await string(variant, expected: "the path of one file") else { return nil }
        guard !isGiven else {
            add(variant, expected: "either \(key) or \(variant), not both")
            return nil
        }
        noteFile(path)
        let contents: [UInt8]
        do throws(ConfigurationFileError) {
            contents = try ConfigurationFile.read(atPath: path)
        } catch {
            add(variant, expected: error.expected(path: path, mayBeSecret: isSecret))
            return nil
        }
        filesByKey[key] = path
        if contents.isEmpty { keysOfEmptyFiles.insert(key) }
        if isSecret, let exposure = ConfigurationFile.exposure(ofSecretFileAtPath: path, key: variant) {
            exposedSecretFiles.append(exposure)
        }
        return contents
    }

    private func isOnCommandLine(_ key: String) -> Bool {
        accesses?.source(of: key) == ConfigurationAccessRecorder.commandLine
    }

    /// Adds an error if a secret is on the command line: every user of the machine can read the arguments of a process,
    /// and shells store them.
    private mutating func refusesCommandLine(_ key: String) -> Bool {
        guard isOnCommandLine(key) else { return false }
        add(key, expected: "no secret on the command line: use the environment, a secret file, or \(key)-file")
        return true
    }

    /// Returns the text of a file that holds one value, without trailing white space and without the byte order mark
    /// that editors on Windows write before it.
    package static func text(ofFile contents: [UInt8]) -> String {
        let hasMark = contents.starts(with: byteOrderMark)
        return withoutTrailingWhitespace(
            String(decoding: contents.dropFirst(hasMark ? byteOrderMark.count : 0), as: UTF8.self))
    }

    /// The byte order mark in UTF-8.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func withoutTrailingWhitespace(_ text: String) -> String {
        var text = text[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

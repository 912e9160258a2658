// SPDX-License-Identifier: Apache-2.0

/// The rule for the names of providers and apps, which become parts of environment variables, options and file names.
package enum ConfigurationName {
    /// The rule in words. It completes the sentence "expected …".
    static let expectation = "names of 1 to 32 characters, a-z and 0-9, that begin with a letter, each given once"

    /// Returns whether a name matches `[a-z][a-z0-9]{0,31}`.
    package static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first), name.utf8.count <= 32 else { return false }
        return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    }

    /// Returns the number of the first name that is not one or is a duplicate, and why, after a semicolon.
    static func reason(of names: [String]) -> String {
        for (index, name) in names.enumerated() {
            if names.prefix(index).contains(name) { return "; name \(index + 1) is listed twice" }
            guard !isValid(name) else { continue }
            return "; name \(index + 1) \(reason(name))"
        }
        return ""
    }

    private static func reason(_ name: String) -> String {
        if name.isEmpty { return "is empty" }
        if name.utf8.count > 32 { return "is longer than 32 characters" }
        return name.utf8.first.map { (0x30...0x39).contains($0) } == true && isValid("a" + name.dropFirst())
            ? "begins with a digit" : "has a character that is not allowed, such as a capital letter or a dash"
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}

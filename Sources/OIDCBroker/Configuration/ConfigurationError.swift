// SPDX-License-Identifier: Apache-2.0

/// One thing that is wrong with a configuration: where it stands and what should stand there.
///
/// The value itself is never part of it, since it may be a secret.
public struct ConfigurationError: Sendable, Hashable, CustomStringConvertible {
    /// The key, such as `auth.public-url`; for an unknown key as it was spelled in its source.
    public let key: String
    /// Where the value came from, such as `environment`; `nil` if no value was given or where it came from is not
    /// known.
    public let source: String?
    /// What was expected; continues the sentence "expected …".
    public let expected: String

    /// A error at a key.
    public init(key: String, source: String? = nil, expected: String) {
        self.key = key
        self.source = source
        self.expected = expected
    }

    public var description: String {
        guard let source else { return "\(key): expected \(expected)" }
        return "\(key) (from \(source)): expected \(expected)"
    }
}

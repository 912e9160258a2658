// SPDX-License-Identifier: Apache-2.0

/// Collects the errors of the keys under one prefix.
struct Rules {
    /// What the keys begin with, its dot included.
    let prefix: String
    /// What was found so far.
    private(set) var errors: [ConfigurationError] = []

    /// Rules for the keys under a prefix that ends in a dot.
    init(prefix: String) {
        self.prefix = prefix
    }

    /// Adds an error at the key where a condition does not hold.
    mutating func require(_ condition: Bool, _ key: String, _ expected: String) {
        guard !condition else { return }
        errors.append(ConfigurationError(key: prefix + key, expected: expected))
    }
}

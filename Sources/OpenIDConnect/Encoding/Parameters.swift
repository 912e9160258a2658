// SPDX-License-Identifier: Apache-2.0

/// The parameters of a query or of a form, decoded once, in their order.
package struct Parameters: Sendable {
    /// All of them, doubled ones too.
    package private(set) var all: [(name: String, value: String)]

    /// Parameters from pairs that are decoded already.
    package init(_ all: [(name: String, value: String)] = []) {
        self.all = all
    }

    /// The one value of a parameter; nil where it is absent.
    /// - Throws: ``ParametersError/doubled(_:)`` where the parameter stands there more than once.
    package func value(_ name: String) throws(ParametersError) -> String? {
        var found: String?
        for pair in all where pair.name == name {
            guard found == nil else { throw .doubled(name) }
            found = pair.value
        }
        return found
    }

    /// Like ``value(_:)``, with an empty value read as an absent one (RFC 6749 section 3.1).
    package func nonEmptyValue(_ name: String) throws(ParametersError) -> String? {
        guard let value = try value(name), !value.isEmpty else { return nil }
        return value
    }

    /// Whether a parameter is there at all.
    package func contains(_ name: String) -> Bool {
        all.contains { $0.name == name }
    }

    /// The name of the first parameter that stood there before. There are at most
    /// ``FormURLEncoding/maximumParameters`` of them, nearly always ten: comparing each with each costs less than a set.
    package var firstDoubledName: String? {
        for (position, parameter) in all.enumerated() {
            for earlier in all[..<position] where earlier.name == parameter.name { return parameter.name }
        }
        return nil
    }

    mutating func append(_ name: String, _ value: String) {
        all.append((name, value))
    }
}

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
        for position in all.indices where all[position].name.isSpelled(name) {
            guard found == nil else { throw .doubled(name) }
            found = all[position].value
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
        all.indices.contains { all[$0].name.isSpelled(name) }
    }

    /// The name of the first parameter that stood there before. There are at most
    /// ``FormURLEncoding/maximumParameters`` of them, nearly always ten: comparing each with each costs less than a set.
    package var firstDoubledName: String? {
        for position in all.indices {
            for earlier in 0..<position where all[earlier].name.isSpelled(all[position].name) {
                return all[position].name
            }
        }
        return nil
    }

    mutating func append(_ name: String, _ value: String) {
        // As many as a start has.
        if all.isEmpty { all.reserveCapacity(12) }
        all.append((name, value))
    }
}

extension String {
    /// Whether a name is the same. Most are of another length, and to compare texts costs more than to compare that.
    ///
    /// Not `hasSameBytes(as:)`: that is not specialised for another module and counts references to both texts, 960 times
    /// a start. Of two names of the same length those that Unicode takes for the same are the same here, so that they are
    /// refused as doubled.
    fileprivate func isSpelled(_ other: String) -> Bool {
        utf8.count == other.utf8.count && self == other
    }
}

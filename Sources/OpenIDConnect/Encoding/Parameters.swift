// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The parameters of a query or a form, decoded once, in order.
package struct Parameters: Sendable {
    /// A parameter.
    package struct Parameter: Sendable {
        /// The decoded name.
        package let name: WireText
        /// The decoded value.
        package let value: WireText
    }

    /// All parameters, including duplicates.
    package private(set) var all: [Parameter]

    /// A bit for each class of names that occurred. Two equal names are of one class.
    private var classes: UInt64 = 0
    /// Whether two names are of one class, so that they may be equal.
    private var mayHaveDuplicates = false

    /// Creates parameters from decoded pairs.
    package init(_ all: [(name: String, value: String)] = []) {
        self.all = []
        for (name, value) in all { append(WireText(name), WireText(value)) }
    }

    /// The value of each of the names, in their order, `nil` for one that is absent; in one pass.
    /// - Throws: ``ParametersError/duplicate(_:)`` if one of them occurs more than once.
    package func values(of names: ParameterNames) throws(ParametersError) -> [WireText?] {
        var values = [WireText?](repeating: nil, count: names.all.count)
        for index in all.indices {
            guard let position = names.position(of: all[index].name) else { continue }
            guard values[position] == nil else { throw .duplicate(names.all[position]) }
            values[position] = all[index].value
        }
        return values
    }

    /// The value of a parameter; `nil` if it is absent.
    /// - Parameter name: An ASCII name, as all names in OAuth are.
    /// - Throws: ``ParametersError/duplicate(_:)`` if the parameter occurs more than once.
    package func value(_ name: String) throws(ParametersError) -> WireText? {
        var found: WireText?
        for position in all.indices where all[position].name.hasSameBytes(asASCII: name) {
            guard found == nil else { throw .duplicate(name) }
            found = all[position].value
        }
        return found
    }

    /// The value of a parameter; `nil` if it is absent or empty (RFC 6749 section 3.1).
    package func nonEmptyValue(_ name: String) throws(ParametersError) -> WireText? {
        guard let value = try value(name), !value.isEmpty else { return nil }
        return value
    }

    /// Whether a parameter is present with a value (RFC 6749 section 3.1).
    /// - Parameter name: An ASCII name.
    package func hasValue(_ name: String) -> Bool {
        all.indices.contains { !all[$0].value.isEmpty && all[$0].name.hasSameBytes(asASCII: name) }
    }

    /// Whether a parameter is present.
    /// - Parameter name: An ASCII name.
    package func contains(_ name: String) -> Bool {
        all.indices.contains { all[$0].name.hasSameBytes(asASCII: name) }
    }

    /// The name of the first parameter that occurs a second time. There are usually about ten parameters and never more
    /// than ``FormURLEncoding/maximumParameters``, so comparing them pairwise is cheaper than a set.
    package var firstDuplicateName: WireText? { firstDuplicateName(but: nil) }

    /// The same but for a parameter that may occur any number of times.
    /// - Parameter repeatable: Its name, which is ASCII; `nil` for none.
    package func firstDuplicateName(but repeatable: String?) -> WireText? {
        guard mayHaveDuplicates else { return nil }
        for position in all.indices {
            for earlier in 0..<position where all[earlier].name.hasSameBytes(as: all[position].name) {
                if let repeatable, all[position].name.hasSameBytes(asASCII: repeatable) { continue }
                return all[position].name
            }
        }
        return nil
    }

    mutating func append(_ name: consuming WireText, _ value: consuming WireText) {
        // The number of parameters of a typical start request.
        if all.isEmpty { all.reserveCapacity(12) }
        let bit = name.utf8.withContiguousBytes { Self.bit(of: $0) }
        if classes & bit != 0 { mayHaveDuplicates = true }
        classes |= bit
        all.append(Parameter(name: name, value: value))
    }

    /// The bit of a name's class, by its length, its middle and its last byte. With these factors the parameters of an
    /// authorization request and of a token request are each of different classes.
    private static func bit(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let last = name.last else { return 1 }
        return 1 << UInt64((name.count + 2 * Int(name[name.count / 2]) + 31 * Int(last)) % 64)
    }
}

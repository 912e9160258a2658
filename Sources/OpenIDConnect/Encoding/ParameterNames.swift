// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// A closed set of parameter names, in ASCII, by which ``Parameters/values(of:)`` reads each parameter once.
package struct ParameterNames: Sendable {
    /// The names; a name's position is that of its value.
    package let all: [String]

    /// The positions of the names of each length: few at most, so that a name is compared with few.
    private let positions: [[Int]]

    package init(_ names: [String]) {
        all = names
        let longest = names.map(\.utf8.count).max() ?? 0
        var positions = [[Int]](repeating: [], count: longest + 1)
        for (position, name) in names.enumerated() { positions[name.utf8.count].append(position) }
        self.positions = positions
    }

    /// The position of a name; `nil` if it is not one of the set.
    func position(of name: WireText) -> Int? {
        let length = name.utf8.count
        guard length < positions.count else { return nil }
        return positions[length].first { name.hasSameBytes(asASCII: all[$0]) }
    }

    /// Whether a name is one of the set.
    package func contains(_ name: WireText) -> Bool { position(of: name) != nil }

    /// The name of the set that a name equals; `nil` if there is none.
    package func name(equalTo name: WireText) -> String? { position(of: name).map { all[$0] } }
}

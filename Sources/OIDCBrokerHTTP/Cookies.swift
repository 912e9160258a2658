// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
import JOSE

/// The Cookie fields of a request, in the order in which the browser sent them (RFC 6265 section 5.4: of equal paths,
/// oldest first).
package struct Cookies {
    /// Every cookie with its value, in the order of the fields.
    package let all: [(name: Substring, value: Substring)]

    /// The maximum number of cookies. Further ones are ignored.
    package static let maximumCount = 256

    /// Reads the cookies of a request.
    package init(_ fields: HTTPFields) {
        var all: [(name: Substring, value: Substring)] = []
        for field in fields where field.name == .cookie {
            var rest = field.value[...].utf8
            while !rest.isEmpty, all.count < Self.maximumCount {
                let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
                let pair = rest[..<end].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
                    all.append((Substring(pair[..<equals]), Substring(pair[pair.index(after: equals)...])))
                }
                rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
            }
        }
        self.all = all
    }

    /// Returns the values of all cookies of one name. More than one is a sign of cookie tossing.
    package func values(_ name: String) -> [Substring] {
        var values: [Substring] = []
        for cookie in all where cookie.name.hasSameBytes(as: name) { values.append(cookie.value) }
        return values
    }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The Cookie fields of a request, in the order the browser sent them (RFC 6265 section 5.4: oldest first among equals).
struct Cookies {
    let all: [(name: Substring, value: Substring)]

    /// More cookies than this are not read.
    static let maximumCount = 256

    init(_ fields: HTTPFields) {
        var all: [(name: Substring, value: Substring)] = []
        for field in fields[fields: .cookie] {
            for pair in field.value.utf8.split(separator: UInt8(ascii: ";"), maxSplits: Self.maximumCount) {
                let trimmed = pair.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                guard let equals = trimmed.firstIndex(of: UInt8(ascii: "=")), all.count < Self.maximumCount else {
                    continue
                }
                all.append((Substring(trimmed[..<equals]), Substring(trimmed[trimmed.index(after: equals)...])))
            }
        }
        self.all = all
    }

    /// The values of all cookies of one name: more than one is a sign of tossing.
    func values(_ name: String) -> [Substring] {
        all.filter { $0.name == name }.map(\.value)
    }
}

// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `sub` is there: 1 to 255 printable ASCII characters (Core section 2), and is not the client itself (RFC 9700 4.15).
package struct SubjectCheck: IDTokenCheck {
    package static let name = "subject"

    package init() {}

    package func validate(_ token: VerifiedPayload, _ expectation: IDTokenExpectation) -> IDTokenFinding? {
        let wanted = "1 to 255 ASCII characters that are not the client id"
        guard let subject = token.claims["sub"]?.text else {
            return finding(wanted: wanted, found: token.claims["sub"] == nil ? "nothing" : "not a string")
        }
        guard (1...255).contains(subject.utf8.count), subject.isPrintableASCII else {
            return finding(wanted: wanted, found: "\(subject.utf8.count) bytes")
        }
        guard !subject.hasSameBytes(as: expectation.clientID) else {
            return finding(wanted: wanted, found: "the client id")
        }
        return nil
    }
}

// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

/// Why a security event token was refused, for good: sent again it would be refused again. Never holds the token.
///
/// What is only in the way for now, keys that cannot be fetched, is a ``RelyingPartyError`` in its place.
package struct SecurityEventError: Error, Sendable, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case token(String)
        case finding(IDTokenFinding)
    }

    private let code: Code

    private init(_ code: Code) {
        self.code = code
    }

    /// Not a token, or not signed by the provider; the reason is a constant text.
    package static func token(_ reason: String) -> Self { .init(.token(reason)) }
    /// A claim is not what it must be.
    package static func finding(_ finding: IDTokenFinding) -> Self { .init(.finding(finding)) }

    /// What was wanted and found, where a claim is at fault.
    package var finding: IDTokenFinding? {
        if case .finding(let finding) = code { finding } else { nil }
    }

    package var description: String {
        switch code {
        case .token(let reason): "security event: \(reason)"
        case .finding(let finding): "security event: \(finding)"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

/// The error with which a security event token was refused permanently: sending it again would not help. It never
/// contains the token.
///
/// A temporary failure, such as keys that cannot be fetched, is reported as a ``RelyingPartyError`` instead.
package struct SecurityEventError: Error, Sendable, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case token(String)
        case finding(IDTokenFinding)
    }

    private let code: Code

    private init(_ code: Code) {
        self.code = code
    }

    /// The token cannot be parsed or is not signed by the provider. The reason is a constant text.
    package static func token(_ reason: String) -> Self { .init(.token(reason)) }
    /// A claim does not have the required value.
    package static func finding(_ finding: IDTokenFinding) -> Self { .init(.finding(finding)) }

    /// The finding of the check that failed, if a claim is wrong.
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

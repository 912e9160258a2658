// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDConnect

extension AuthorizationCode {
    /// A code that a test writes down.
    package static func of(_ text: String) -> AuthorizationCode? { AuthorizationCode(WireText(text)) }
}

extension AuthorizationResponse.Contents {
    /// A code that a test writes down; `nil` if it is not acceptable.
    package static func code(of text: String) -> Self? { AuthorizationCode.of(text).map { .code($0) } }

    /// A code and an ID token that a test writes down; `nil` if the code is not acceptable.
    package static func code(of text: String, idToken: String) -> Self? {
        AuthorizationCode.of(text).map { .codeAndIDToken(code: $0, idToken: idToken) }
    }
}

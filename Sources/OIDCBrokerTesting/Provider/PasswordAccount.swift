// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A test user who signs in with an email and a password.
package protocol PasswordAccount {
    var email: String { get }
    var password: String { get }
    /// The name, as pages show it.
    var displayedName: String { get }
}

extension OpenIDProvider.Person: PasswordAccount {
    package var displayedName: String { name }
}

extension Collection where Element: PasswordAccount {
    /// Returns the account with an address, in any case and with any spaces, and a password.
    package func account(email: String, password: String) -> Element? {
        let wanted = email.lowercased().split(separator: " ").joined(separator: " ")
        return first { $0.email.lowercased() == wanted && ConstantTime.equal($0.password, password) }
    }
}

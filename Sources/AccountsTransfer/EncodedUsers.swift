// SPDX-License-Identifier: Apache-2.0

package import Accounts
import JOSE

/// Users as they are written to a file, and what the form of the file cannot have of them.
package struct EncodedUsers: Sendable {
    /// The number of users.
    package let count: Int
    /// Their JSON texts, a line each, with a comma between two of them.
    package private(set) var bytes: [UInt8] = []
    /// How often what was left out, by the ID of a provider or the name of a member.
    package private(set) var lost: [String: Int] = [:]
    /// The providers of the identities that were left out, of each user who had one.
    package private(set) var lostProviders: [(user: AccountID, providers: [String])] = []

    /// Encodes users.
    /// - Parameters:
    ///   - accounts: The accounts with their identities.
    ///   - encoder: The encoder.
    ///   - passwords: The passwords with which users came.
    package init(
        _ accounts: [(account: Account, identities: [AccountIdentity])], by encoder: UserEncoder,
        with passwords: UserPasswords
    ) {
        count = accounts.count
        for (account, identities) in accounts {
            let (user, loss) = encoder.user(account, identities, password: passwords[account.id])
            if !bytes.isEmpty { bytes += Array(",\n".utf8) }
            bytes += user.serialized()
            for name in loss.providers + loss.members { lost[name, default: 0] += 1 }
            if !loss.providers.isEmpty { lostProviders.append((account.id, loss.providers)) }
        }
    }
}

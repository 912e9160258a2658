// SPDX-License-Identifier: Apache-2.0

/// Why a file of users cannot be read further.
package struct TransferError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The byte of the file at which reading ended.
    package let offset: Int
    /// What is wrong, without any content of the file.
    package let reason: String

    init(_ reason: String, at offset: Int) {
        self.offset = offset
        self.reason = reason
    }

    package var description: String { "\(reason) (byte \(offset))" }
}

/// Why a user cannot be taken.
package struct UserError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, without any content of the user.
    package let description: String
    /// The provider whose issuer is not known; `nil` for any other reason.
    package let providerWithoutIssuer: String?

    init(_ description: String, providerWithoutIssuer: String? = nil) {
        self.description = description
        self.providerWithoutIssuer = providerWithoutIssuer
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The reason why bytes could not be sealed.
package enum AuthenticatedEncryptionError: Error, Hashable {
    /// The key is not 32 bytes long, or the given nonce is not 12 bytes long.
    case wrongLength
}

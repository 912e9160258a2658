// SPDX-License-Identifier: Apache-2.0

/// Why nothing could be sealed.
package enum AuthenticatedEncryptionError: Error, Hashable {
    /// The key is not 32 bytes, or the nonce given is not 12.
    case wrongLength
}

// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// A check of the ID tokens of accounts, with the public half of the key that the server signs with.
package struct AccountTokenCheck: Sendable {
    private let keys: KeySet
    private let algorithm: JSONWebAlgorithm
    private let audience: String

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - key: The key of the server.
    ///   - audience: The ID of the project.
    /// - Throws: `KeySetError` if the key cannot be published.
    package init(key: SigningKey, audience: String) throws(KeySetError) {
        let document: JSONObject = ["keys": .array([.object(key.publicJWK)])]
        keys = try KeySet(json: document.serialized())
        algorithm = key.algorithm
        self.audience = audience
    }

    /// Verifies the signature of a token and for whom it is.
    ///
    /// - Returns: The error, in words that contain nothing of the token; `nil` if the token is that of the account.
    package func fault(in token: String, of uid: String) -> AccountFault? {
        let claims: JSONObject
        do {
            claims = try JSONWebSignature(compact: token).verified(by: keys, algorithms: [algorithm]).claims
        } catch {
            return AccountFault("an ID token without a valid signature")
        }
        guard claims["sub"]?.text?.hasSameBytes(as: uid) == true else {
            return AccountFault("an ID token of another account")
        }
        guard claims["aud"]?.text?.hasSameBytes(as: audience) == true else {
            return AccountFault("an ID token of another project")
        }
        return nil
    }
}

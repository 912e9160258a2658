// SPDX-License-Identifier: Apache-2.0

import JOSE

extension JSONWebSignature {
    /// Verifies the signature with keys that are fetched if necessary.
    ///
    /// If no key verifies it, the keys may have been replaced, possibly under the same `kid`. They are then fetched
    /// again, as rarely as for an unknown `kid`, and the signature is verified with the new ones.
    /// - Parameters:
    ///   - algorithms: The algorithms allowed for the token.
    ///   - keys: The keys, with the one of the token's `kid` among them if there is one.
    ///   - otherKeys: A closure that returns the keys after a mismatch; `nil` if there are no others.
    ///   - refusal: Maps a signature error to the error with which the future fails.
    func verified(
        by keys: Eventual<KeySet>,
        or otherKeys: @escaping @Sendable () -> Eventual<KeySet>?,
        algorithms: Set<JSONWebAlgorithm>,
        refusal: @escaping @Sendable (JSONWebSignatureError) -> any Error
    ) -> Eventual<VerifiedPayload> {
        keys.flatMap { keys in
            do throws(JSONWebSignatureError) {
                return .value(try verified(by: keys, algorithms: algorithms))
            } catch {
                guard Self.mayBeReplacedKey(error), let others = otherKeys() else { return .failure(refusal(error)) }
                return others.flatMapThrowing { keys in
                    do throws(JSONWebSignatureError) {
                        return try verified(by: keys, algorithms: algorithms)
                    } catch {
                        throw refusal(error)
                    }
                }
            }
        }
    }

    /// Whether other keys could have led to another verdict.
    private static func mayBeReplacedKey(_ error: JSONWebSignatureError) -> Bool {
        error == .unknownKey || error == .badSignature
    }
}

// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect

extension RelyingParty {
    /// Verifies a signature with the provider's keys, which are fetched if necessary.
    ///
    /// If no key verifies it, the keys may have been replaced, possibly under the same `kid`. They are then fetched
    /// again, as rarely as for an unknown `kid`, and the signature is verified with the new ones.
    /// - Parameters:
    ///   - algorithms: The algorithms allowed for the token.
    ///   - refusal: Maps a signature error to the error with which the future fails.
    func verified(
        _ signature: JSONWebSignature,
        algorithms: Set<JSONWebAlgorithm>,
        _ metadata: ProviderMetadata,
        _ deadline: NIODeadline,
        on eventLoop: any EventLoop,
        refusal: @escaping @Sendable (JSONWebSignatureError) -> any Error
    ) -> Eventual<VerifiedPayload> {
        keySet(containing: signature.keyID, metadata: metadata, deadline: deadline, on: eventLoop)
            .flatMap(on: eventLoop) { [self] keys in
                do throws(JSONWebSignatureError) {
                    return .value(try signature.verified(by: keys, algorithms: algorithms))
                } catch {
                    guard Self.mayBeReplacedKey(error),
                        let others = keySetAfterMismatch(
                            namesKey: signature.keyID != nil, metadata: metadata, deadline: deadline, on: eventLoop)
                    else { return .failure(refusal(error)) }
                    return others.flatMapThrowing { keys in
                        do throws(JSONWebSignatureError) {
                            return try signature.verified(by: keys, algorithms: algorithms)
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

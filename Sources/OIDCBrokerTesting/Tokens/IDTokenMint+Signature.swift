// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE

extension IDTokenMint {
    /// Signs the claims, or applies a misbehavior to the signature.
    func signed(_ payload: [UInt8]) throws -> String {
        let signer = try signer()
        var draft = TokenDraft(algorithm: signer.algorithm, keyID: signer.keyID, payload: payload)
        switch misbehavior {
        case .algorithmNone: return draft.unsigned(algorithm: "none")
        case .algorithmNoneOddCase: return draft.unsigned(algorithm: "nOnE")
        case .keyIDAbsentSingleKey, .keyIDAbsentManyKeys: draft.header["kid"] = nil
        case .missingAlgorithm: draft.header["alg"] = nil
        case .nullAlgorithm: draft.header["alg"] = .null
        case .numericAlgorithm: draft.header["alg"] = 256
        case .unknownKeyID: draft.header["kid"] = .string("unknown-" + (signer.keyID ?? ""))
        case .oversizedKeyID: draft.header["kid"] = .string(String(repeating: "k", count: 2000))
        case .numericKeyID: draft.header["kid"] = 7
        case .criticalExtension:
            draft.header["crit"] = ["urn:example:extension"]
            draft.header["urn:example:extension"] = true
        case .unencodedPayload:
            draft.header["crit"] = ["b64"]
            draft.header["b64"] = false
        case .accessTokenType: draft.header["typ"] = "at+jwt"
        case .embeddedKey: return try withItsOwnKey(draft)
        case .duplicateHeaderMember: draft.addsAlgorithmTwice = true
        default: break
        }
        return try bend(draft, signature: signer.signature(over: draft.signingInput))
    }

    /// The signer: the client's secret if the client is registered for that, otherwise the provider's key, or that of a
    /// misbehavior.
    private func signer() throws -> TokenSigner {
        switch misbehavior {
        case .alternateAlgorithm: return .key(try keys.alternate())
        case .hmacKeyedWithPublicKey:
            let jwk = keys.current.publicJWK
            let text =
                jwk["n"]?.text?.makeString() ?? (jwk["x"]?.text?.makeString() ?? "")
                + (jwk["y"]?.text?.makeString() ?? "")
            return .secret(Array(text.utf8), keyID: keys.current.keyID)
        case .hmacKeyedWithClientSecret:
            return .secret(Array((client?.secret ?? "").utf8), keyID: nil)
        default:
            guard let client, client.usesSymmetricIDTokens, let secret = client.secret else {
                return .key(keys.current)
            }
            return .secret(Array(secret.utf8), keyID: nil)
        }
    }

    /// Returns a token whose header contains the key that the signature fits, and its location.
    private func withItsOwnKey(_ draft: TokenDraft) throws -> String {
        var draft = draft
        let key = try SigningKey.generate(.es256)
        draft.header["alg"] = "ES256"
        draft.header["jwk"] = .object(key.publicJWK)
        draft.header["jku"] = .string(issuer + "/attacker/jwks")
        draft.header["x5u"] = .string(issuer + "/attacker/certificate")
        draft.header["x5c"] = ["MIIBAAAA"]
        return draft.token(signature: try key.signature(over: draft.signingInput))
    }

    private func bend(_ draft: TokenDraft, signature: [UInt8]) -> String {
        switch misbehavior {
        case .wrongSignature: return draft.token(signature: signature.map { $0 ^ 0x5A })
        case .secondTokenWrongSignature where place == .tokenEndpoint:
            return draft.token(signature: signature.map { $0 ^ 0x5A })
        case .emptySignature: return draft.token(signature: [])
        case .zeroSignature: return draft.token(signature: signature.map { _ in 0 })
        case .derSignature:
            let der = try? P256.Signing.ECDSASignature(rawRepresentation: signature).derRepresentation
            return draft.token(signature: der.map { Array($0) } ?? signature.map { _ in 0 })
        case .fourSegments: return draft.token(signature: signature) + ".AAAA"
        case .paddedSegments: return draft.token(signature: signature) + "="
        case .trailingSpace: return draft.token(signature: signature) + " "
        default: return draft.token(signature: signature)
        }
    }
}

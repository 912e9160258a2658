// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OpenIDConnect
import OpenIDRelyingParty

extension TokenError {
    /// Returns the error for an app that presented a credential: the check that failed, without any content of the token.
    static func ofNativeCredential(_ outcome: Outcome) -> TokenError {
        switch outcome {
        case .missingOrInvalidNonce:
            TokenError(
                outcome.label,
                "raw_nonce is missing, or its SHA-256 in lower-case hexadecimal is not the token's nonce.")
        case .repeatedCredential:
            TokenError("invalid_grant", "The credential was used before.")
        case .providerUnavailable:
            TokenError("temporarily_unavailable", "The provider is not available.", status: .serviceUnavailable)
        case .storeUnavailable, .tooManyOfProvider:
            .unavailable
        case .requirementNotMet:
            TokenError("access_denied", "The user may not use the app.")
        case .unusableClaims(let reason):
            TokenError("server_error", "A claim cannot be passed to the app: \(reason).", status: .internalServerError)
        case .accountRefused:
            TokenError("access_denied", "The user has no account that may sign in.")
        case .accountNeedsInteraction:
            TokenError(
                "interaction_required",
                "The user must sign in as before and link this provider there, or sign in again.")
        case .accountsUnavailable:
            TokenError("temporarily_unavailable", "The accounts are not available.", status: .serviceUnavailable)
        case .failed(let error) where error.providerError?.code == "invalid_client":
            TokenError("server_error", "The provider did not accept the broker.", status: .internalServerError)
        case .failed(let error):
            TokenError(
                "invalid_grant", "The credential could not be verified (\(error.finding?.check ?? "\(error.step)")).")
        default:
            TokenError("server_error", "The credential could not be verified.", status: .internalServerError)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Accounts
@testable import Signing

/// The descriptions of errors of accounts, for operators and developers. Their codes are for programs.
struct AccountErrorTextTests {
    @Test func `a refused operation`() {
        let texts = AccountRefusal.Code.Value.allCases.map { AccountRefusal(AccountRefusal.Code($0)).description }
        #expect(
            texts == [
                "unknown: the account does not exist",
                "noNewAccounts: new accounts are not allowed",
                "needConfirmation: another account has this email; sign in to it, and link the identity",
                "disabled: the account is disabled",
                "used: the token was used before",
                "sessionEnded: the session has ended, or its account was deleted",
                "signInTooOld: the last sign-in of the session is too old; sign in again",
                "belongsToAnother: the identity belongs to another account",
                "alreadyLinked: the account already has this identity, or another one of the provider",
                "emailBelongsToAnother: the email belongs to another account",
                "tooManyIdentities: the account has the maximum number of identities",
                "lastIdentity: the last identity of an account cannot be removed",
                "invalidValue: a value is too long, or has characters that are not allowed",
                "verificationOutdated: the sessions of the account were ended since the verification; sign in again",
                "blocked: the server that decides about new accounts refused this one",
            ])
    }

    @Test func `a token that is not accepted`() {
        let texts = AccountTokenError.Code.Value.allCases.filter { $0 != .claim }.map {
            AccountTokenError(AccountTokenError.Code($0)).description
        }
        #expect(
            texts == [
                "the token is longer than \(AccountTokens.maximumLength) bytes",
                "the token is not a signed JWT in compact form",
                "the algorithm in the token is not the algorithm of its key",
                "no key has the 'kid' of the token",
                "the signature is invalid",
                "the token was issued by another issuer",
                "the token is for another project",
                "the token has expired",
                "the token was issued in the future; compare the clocks",
                "the session or an identity belongs to another account",
            ])
        #expect(AccountTokenError(claim: "sub").description == "the claim 'sub' is missing or invalid")
    }

    @Test func `signing keys that cannot be used`() {
        let texts = SigningKeysError.Code.Value.allCases.map {
            SigningKeysError(SigningKeysError.Code($0)).description
        }
        #expect(
            texts == [
                "there is no PEM private key, a block such as '-----BEGIN PRIVATE KEY-----'",
                "there are more than \(SigningKeys.maximumCount) private keys; remove the oldest",
                "the key is encrypted with a passphrase; store it without one",
                "the PEM private key is damaged, incomplete, or in an unsupported format",
                "the key is neither a P-256 nor an RSA key",
                "the RSA key has fewer than 2048 or more than 4096 bits",
                "the same key is listed twice; remove one of them",
                "verifiers refuse this key, for example because of its RSA exponent; create another one",
            ])
        #expect(
            SigningKeysError(.duplicate, keyNumber: 2).description
                == "key 2: the same key is listed twice; remove one of them")
    }
}

// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import SingleUse

/// The native credential: the endpoint to which an app presents a credential that it received from the provider without
/// a browser (`POST credential`). The response is that of the token endpoint.
///
/// The ID token must be for one of the app's own client IDs at the provider, minutes old, and not presented before. It
/// is bound to a raw nonce that the provider never saw. What ends before step 6 uses nothing up.
struct NativeCredentialFlow: RequestHandling {
    /// The lifetime of the claim of a presented ID token, in seconds. It is longer than an ID token is accepted by any
    /// clock.
    static let claimLifetime: Int64 = RelyingParty.maximumNativeIssuedAge + 900

    let context: RequestContext

    /// Why a credential is refused, other than by an error of the provider.
    private struct Refusal: Error {
        let outcome: Outcome
    }

    /// Beside each step is what the app gets instead of tokens.
    func respond(to request: BrokerRequest) -> Eventual<BrokerResponse> {
        // 1. Authenticate the app (RFC 6749 2.3).                      `invalid_client`, `invalid_request`
        AppAuthentication(context: context, requests: .credentials).respond(to: request) {
            form, app throws(TokenError) in
            // 2. Read the credential.                                  `invalid_request`, `unauthorized_client`
            let presented = try NativePresentation(form, of: app, in: snapshot)
            // 3. Verify the ID token (OpenID Connect Core 3.1.3.7).    `.missingOrInvalidNonce`, `.failed`
            //    and what the app requires of its claims.             `.requirementNotMet`, `.unusableClaims`
            return verify(presented).flatMap { signIn, presented in
                do throws(TokenError) {
                    // 4. Have a place for the signature. Only now, as the provider's keys may have been waited for.
                    return try services.signing.reserve(
                        app.slowestKey, for: .nativeCredential, of: presented.client(of: context)
                    ) { () throws(TokenError) in
                        complete(signIn, presented)
                    }
                } catch {
                    return .value(error.response)
                }
            }.recover { refuse($0, presented) }
        }
    }

    private func complete(_ signIn: VerifiedSignIn, _ presented: NativePresentation) -> Eventual<BrokerResponse> {
        // 5. Enter the account, if the app has accounts.               `.repeatedCredential`, `.accountRefused`
        enterAccount(signIn, presented).flatMap { account in
            // 6. Claim the token, which is accepted once.              `.repeatedCredential`, `.storeUnavailable`
            claim(signIn, presented).flatMap {
                // 7. Keep the name, before anything else can fail: it is not sent again.
                name(of: signIn, presented)
            }.flatMap { name in
                // 8. Exchange the code, if there is one.               `.providerUnavailable`, `.failed`
                exchange(signIn, presented).flatMap {
                    // 9. Issue the tokens (RFC 6749 5.1).              `server_error`
                    answer($0, name, presented, account: account)
                }
            }
        }
    }

    // MARK: 3

    private func verify(_ presented: NativePresentation) -> Eventual<(VerifiedSignIn, NativePresentation)> {
        let (credential, provider) = (presented.credential, presented.provider)
        return provider.relyingParty.verifyNative(
            idToken: credential.idToken, audiences: presented.audiences,
            nonce: credential.rawNonce.map { NoncePair(raw: $0).hashed }, rawNonce: credential.rawNonce ?? "",
            nonceIsRequired: presented.app.configuration.nativeNonce == .required,
            code: credential.authorizationCode, in: RequestScope(on: eventLoop, trace: trace(of: provider))
        ).flatMapThrowing { signIn in
            var presented = presented
            presented.claims = presented.app.claims(of: signIn, at: provider)
            if let refusal = presented.claims.refusal { throw Refusal(outcome: refusal) }
            // No request would be sent, so the credential is not used up and the app may present it again.
            guard credential.authorizationCode == nil || provider.relyingParty.wait(before: .token) == nil else {
                throw Refusal(outcome: .providerUnavailable(.transport(.token, .circuitOpen)))
            }
            return (signIn, presented)
        }
    }

    // MARK: 5

    /// Asks about the sign-in of an app with accounts, before its token is claimed: what is refused uses nothing up. A
    /// token that was presented before is not asked about, or it would make an account anew that was deleted meanwhile.
    private func enterAccount(_ signIn: VerifiedSignIn, _ presented: NativePresentation) -> Eventual<String?> {
        guard presented.app.configuration.accounts else { return .value(nil) }
        return store.isClaimed(Self.key(of: signIn), on: eventLoop).flatMap { isClaimed in
            isClaimed ? .failure(Refusal(outcome: .repeatedCredential)) : name(of: signIn, presented)
        } failure: { _ in
            .failure(Refusal(outcome: .storeUnavailable))
        }.flatMap { name in
            enterAccount(
                signIn, presented.claims, at: presented.provider, app: presented.app, name: name,
                client: presented.client(of: context), isNative: true)
        }.flatMapThrowing { decided in
            switch decided {
            case .entered(let account): return account
            case .ended(let outcome): throw Refusal(outcome: outcome)
            }
        }
    }

    private func name(of signIn: VerifiedSignIn, _ presented: NativePresentation) -> Eventual<UnverifiedName?> {
        unverifiedName(
            with: presented.credential.user, issuer: signIn.issuer, subject: signIn.subject, at: presented.provider)
    }

    // MARK: 6

    /// Claims a presented token. Only valid tokens are claimed, since others would fill the store.
    private func claim(_ signIn: VerifiedSignIn, _ presented: NativePresentation) -> Eventual<Void> {
        let owner = SingleUseOwner.owner(
            issuer: signIn.issuer, subject: signIn.subject, provider: presented.provider.share)
        return store.claim(
            Self.key(of: signIn), owner: owner, seconds: Self.claimLifetime, standsAlone: true, on: eventLoop
        ).recover { _ in .full }.flatMapThrowing { claim in
            switch claim {
            case .won: return
            case .lost: throw Refusal(outcome: .repeatedCredential)
            case .tooManyOfProvider: throw Refusal(outcome: .tooManyOfProvider)
            default: throw Refusal(outcome: .storeUnavailable)
            }
        }
    }

    /// The key of a token in the store.
    private static func key(of signIn: VerifiedSignIn) -> SingleUseKey {
        SingleUseKey(.nativeCredential, UnverifiedIDTokenPayload.signedPart(of: signIn.idToken.exposed))
    }

    // MARK: 8 and 9

    private func exchange(_ signIn: VerifiedSignIn, _ presented: NativePresentation) -> Eventual<VerifiedSignIn> {
        guard let code = presented.credential.authorizationCode else { return .value(signIn) }
        return presented.provider.relyingParty.completeNative(
            signIn, code: code, in: RequestScope(on: eventLoop, trace: trace(of: presented.provider)))
    }

    private func answer(
        _ signIn: VerifiedSignIn, _ name: UnverifiedName?, _ presented: NativePresentation, account: String?
    ) -> Eventual<BrokerResponse> {
        let (app, provider) = (presented.app, presented.provider)
        let handed: HandedClaims.Bounded
        do throws(ClaimError) {
            handed = try HandedClaims.idToken(
                signIn, providerID: provider.id, issuer: snapshot.issuer, clientID: app.clientID, nonce: nil,
                scopes: .ofNativeCredential, configured: provider.configuration.claims,
                picked: presented.claims.deciding, addingClaims: provider.behavior.addClaims, account: account,
                atUserInfo: presented.claims.atUserInfo)
        } catch {
            return .failure(Refusal(outcome: .unusableClaims(error.description)))
        }
        handed.logLeftOut(provider: provider, app: app, in: context)
        let record = HandOffRecord(
            clientID: app.clientID, redirectURI: "", codeChallenge: nil, issuer: snapshot.issuer,
            scopes: .ofNativeCredential, claims: handed.claims,
            upstream: app.configuration.upstreamTokens
                ? HandedClaims.upstream(signIn, providerID: provider.id) : nil,
            user: name?.object)
        let now = services.clock.now()
        return TokenResponse(context: context, app: app, place: .credential, resource: presented.resource).issue(
            record, accessTokenID: SecureRandom.bytes(16),
            accessTokenExpiry: now + app.accessTokenLifetime(for: presented.resource), account: account, now: now
        ).flatMapThrowing { response in
            guard response.head.status == .ok else { return response }
            let reference = CredentialLog.write(
                .signedIn, provider: provider, app: app.configuration.name, subject: handed.subject, account: account,
                in: context)
            return response.noting(Outcome.signedIn.label, reference)
        }
    }

    // MARK: Refusals

    private func refuse(_ error: any Error, _ presented: NativePresentation) -> BrokerResponse {
        let outcome = (error as? Refusal)?.outcome ?? Self.outcome(of: error)
        let reference = CredentialLog.write(
            outcome, provider: presented.provider, app: presented.app.configuration.name, in: context)
        return TokenError.ofNativeCredential(outcome).response.noting(outcome.label, reference)
    }

    private static func outcome(of error: any Error) -> Outcome {
        let error = error as? RelyingPartyError ?? .unusable(.idToken, "failed")
        if error.finding?.check == IDTokenCheck.nonce.name { return .missingOrInvalidNonce }
        return Outcome(of: error)
    }
}

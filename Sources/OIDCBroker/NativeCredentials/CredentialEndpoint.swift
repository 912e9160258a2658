// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import JOSE
import Logging
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple

/// The endpoint to which an app presents a credential that it received from the provider without a browser (`POST
/// credential`). The response is that of the token endpoint.
///
/// The ID token must be for one of the app's own client IDs at the provider, minutes old, and not presented before. It
/// is bound to a raw nonce that the provider never saw. The endpoint first validates the token, then claims it,
/// and only then exchanges the code.
struct CredentialEndpoint: RequestHandling {
    /// The lifetime of the claim of a presented ID token, in seconds. It is longer than an ID token is accepted by any
    /// clock.
    static let claimLifetime: Int64 = RelyingParty.maximumNativeIssuedAge + 900

    let context: RequestContext

    /// A credential whose app and provider are known.
    private struct Presentation {
        let credential: NativeCredential
        let app: AppEntry
        let provider: ProviderEntry

        /// The app's client IDs at this provider. At another provider they may belong to other apps.
        var audiences: [String] { app.configuration.nativeAudiences(at: provider.configuration) }

        /// The address of the client; `nil` for a confidential app, which is a server and speaks for many people.
        func client(of context: RequestContext) -> IPAddress? { app.isPublic ? context.client : nil }
    }

    func respond(to request: BrokerRequest) -> Eventual<BrokerResponse> {
        AppAuthentication(context: context, requests: .credentials).respond(to: request) {
            form, app throws(TokenError) in
            .future(verify(try read(form, app)))
        }
    }

    private func read(_ form: Parameters, _ app: AppEntry) throws(TokenError) -> Presentation {
        let provider = try snapshot.provider(AppAuthentication.value("provider", form), of: app)
        let credential = try NativeCredential(form)
        let presentation = Presentation(credential: credential, app: app, provider: provider)
        guard !presentation.audiences.isEmpty else {
            throw TokenError("unauthorized_client", "The app has no native-audiences at this provider.")
        }
        guard credential.authorizationCode == nil || provider.behavior.exchangesNativeCodes else {
            throw TokenError(
                "invalid_request",
                "authorization_code cannot be exchanged: the provider has no team-id, key-id and private-key.")
        }
        return presentation
    }

    private func verify(_ presentation: Presentation) -> EventLoopFuture<BrokerResponse> {
        let (credential, app, provider) = (presentation.credential, presentation.app, presentation.provider)
        return provider.relyingParty.verifyNative(
            idToken: credential.idToken, audiences: presentation.audiences,
            nonce: credential.rawNonce.map { NoncePair(raw: $0).hashed }, rawNonce: credential.rawNonce ?? "",
            nonceIsRequired: app.configuration.nativeNonce == .required,
            code: credential.authorizationCode, on: eventLoop, trace: trace(of: provider)
        ).flatMap { signIn in
            // No request would be sent, so the credential is not used up and the app may present it again.
            if credential.authorizationCode != nil, provider.relyingParty.wait(before: .token) != nil {
                return eventLoop.makeSucceededFuture(
                    refuse(.providerUnavailable(.transport(.token, .circuitOpen)), presentation))
            }
            do throws(TokenError) {
                // Only now, since the provider's keys may have been waited for.
                return try services.signing.reserve(
                    app.signingKey, for: .nativeCredential, of: presentation.client(of: context)
                ) { () throws(TokenError) in
                    .future(
                        app.configuration.accounts
                            ? enterAndExchange(signIn, presentation)
                            : claimAndExchange(signIn, presentation, account: nil))
                }.future(on: eventLoop)
            } catch {
                return eventLoop.makeSucceededFuture(error.response)
            }
        }.recover { error in refuse(Self.outcome(of: error), presentation) }
    }

    /// Asks about the sign-in of an app with accounts, before its token is claimed: what is refused uses nothing up. A
    /// token that was presented before is not asked about, or it would make an account anew that was deleted meanwhile.
    private func enterAndExchange(
        _ signIn: VerifiedSignIn, _ presentation: Presentation
    ) -> EventLoopFuture<BrokerResponse> {
        store.isClaimed(Self.key(of: signIn), on: eventLoop)
            .flatMapThrowing { isClaimed -> Outcome? in isClaimed ? .repeatedCredential : nil }
            .recover { _ in .storeUnavailable }.future(on: eventLoop)
            .flatMap { refusal -> EventLoopFuture<BrokerResponse> in
                if let refusal { return eventLoop.makeSucceededFuture(refuse(refusal, presentation)) }
                return name(of: signIn, presentation).future(on: eventLoop).flatMap { name in
                    enterAccount(
                        signIn, at: presentation.provider, app: presentation.app, name: name,
                        client: presentation.client(of: context), isNative: true)
                }.flatMap {
                    admitted -> EventLoopFuture<BrokerResponse> in
                    switch admitted {
                    case .entered(let account): claimAndExchange(signIn, presentation, account: account)
                    case .ended(let outcome): eventLoop.makeSucceededFuture(refuse(outcome, presentation))
                    }
                }
            }
    }

    private func claimAndExchange(
        _ signIn: VerifiedSignIn, _ presentation: Presentation, account: String?
    ) -> EventLoopFuture<BrokerResponse> {
        claim(signIn, presentation.provider).recover { _ in .full }.flatMap(on: eventLoop) {
            claim -> Eventual<BrokerResponse> in
            switch claim {
            case .won: .future(exchange(signIn, presentation, account: account))
            case .lost: .value(refuse(.repeatedCredential, presentation))
            case .tooManyOfProvider: .value(refuse(.tooManyOfProvider, presentation))
            default: .value(refuse(.storeUnavailable, presentation))
            }
        }.future(on: eventLoop)
    }

    /// Claims a presented token. Only valid tokens are claimed, since others would fill the store.
    private func claim(_ signIn: VerifiedSignIn, _ provider: ProviderEntry) -> Eventual<SingleUseClaim> {
        let owner = SingleUseOwner.owner(
            issuer: signIn.issuer, subject: signIn.subject, provider: provider.share)
        return store.claim(
            Self.key(of: signIn), owner: owner, seconds: Self.claimLifetime, standsAlone: true, on: eventLoop)
    }

    /// The key of a token in the store.
    private static func key(of signIn: VerifiedSignIn) -> SingleUseKey {
        SingleUseKey(.nativeCredential, UnverifiedIDTokenPayload.signedPart(of: signIn.idToken.exposed))
    }

    private func exchange(
        _ signIn: VerifiedSignIn, _ presentation: Presentation, account: String?
    ) -> EventLoopFuture<BrokerResponse> {
        // The name is kept before anything else can fail, because it is not sent again.
        name(of: signIn, presentation).future(on: eventLoop).flatMap { name in
            guard let code = presentation.credential.authorizationCode else {
                return answer(signIn, name, presentation, account: account)
            }
            return presentation.provider.relyingParty.completeNative(
                signIn, code: code, on: eventLoop, trace: trace(of: presentation.provider)
            ).flatMap { answer($0, name, presentation, account: account) }
        }
    }

    private func name(of signIn: VerifiedSignIn, _ presentation: Presentation) -> Eventual<UnverifiedName?> {
        unverifiedName(
            with: presentation.credential.user, issuer: signIn.issuer, subject: signIn.subject,
            at: presentation.provider)
    }

    private func answer(
        _ signIn: VerifiedSignIn, _ name: UnverifiedName?, _ presentation: Presentation, account: String?
    ) -> EventLoopFuture<BrokerResponse> {
        let (app, provider) = (presentation.app, presentation.provider)
        let handed: HandedClaims.Bounded
        do throws(RelyingPartyError) {
            handed = try HandedClaims.idToken(
                signIn, providerID: provider.id, issuer: snapshot.issuer, clientID: app.clientID, nonce: nil,
                scopes: .ofNativeCredential, behavior: provider.behavior, account: account)
        } catch {
            return eventLoop.makeSucceededFuture(refuse(.failed(error), presentation))
        }
        handed.logLeftOut(provider: provider, app: app, in: context)
        let record = HandOffRecord(
            clientID: app.clientID, redirectURI: "", codeChallenge: nil, issuer: snapshot.issuer,
            scopes: .ofNativeCredential, claims: handed.claims,
            upstream: app.configuration.upstreamTokens
                ? HandedClaims.upstream(signIn, providerID: provider.id) : nil,
            user: name?.object)
        let now = services.clock.now()
        return TokenResponse(context: context, app: app, place: .credential).issue(
            record, accessTokenID: SecureRandom.bytes(16), accessTokenExpiry: now + AccessToken.lifetime,
            account: account, now: now
        ).flatMapThrowing { response in
            guard response.head.status == .ok else { return response }
            let reference = CredentialLog.write(
                .signedIn, provider: provider, app: app.configuration.name, subject: handed.subject,
                account: account,
                in: context)
            return response.noting(Outcome.signedIn.label, reference)
        }.future(on: eventLoop)
    }

    // MARK: Refusals

    private static func outcome(of error: any Error) -> Outcome {
        let error = error as? RelyingPartyError ?? .unusable(.idToken, "failed")
        if error.finding?.check == IDTokenCheck.nonce.name { return .missingOrInvalidNonce }
        return error.isTemporary ? .providerUnavailable(error) : .failed(error)
    }

    private func refuse(_ outcome: Outcome, _ presentation: Presentation) -> BrokerResponse {
        let reference = CredentialLog.write(
            outcome, provider: presentation.provider, app: presentation.app.configuration.name, in: context)
        return Self.error(outcome).response.noting(outcome.label, reference)
    }

    /// Returns the error for the app: the check that failed, without any content of the token.
    private static func error(_ outcome: Outcome) -> TokenError {
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
        case .accountRefused:
            TokenError("access_denied", "The person has no account that may sign in.")
        case .accountNeedsInteraction:
            TokenError(
                "interaction_required",
                "The person must sign in as before and link this provider there, or sign in again.")
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

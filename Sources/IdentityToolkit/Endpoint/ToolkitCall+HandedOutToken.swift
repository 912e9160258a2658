// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import NIOCore
import OIDCBroker

// The ID tokens of providers that pages get in responses, which the SDK may send again without their nonce.
extension ToolkitCall {
    /// Keeps what a page of the app is about to be handed. If it cannot be kept, the user signs in at the provider again.
    /// - Returns: A future that does not fail.
    func keep(_ credential: PendingCredential) -> EventLoopFuture<Void> {
        let handedOut = handedOut(credential.idToken)
        let seconds = credential.verifiedAt + PendingCredential.lifetime - broker.now
        guard isOfPage, seconds > 0, let sealed = handedOut.seal(credential) else {
            return eventLoop.makeSucceededVoidFuture()
        }
        let owner = broker.provider(id: credential.identity.providerID)?.owner(
            subject: credential.identity.key.subject, app: "\(IdentityToolkit.purpose) \(app.name)")
        return broker.keep(handedOut.key, value: sealed, owner: owner, seconds: seconds)
    }

    /// What was verified of an ID token that a page of the app was handed before, and sends without its nonce; `nil` if it
    /// is a token of another kind, which is to be verified.
    func handedOut(_ token: SignInWithIdpRequest.NativeToken) -> EventLoopFuture<PendingCredential?> {
        guard isOfPage, token.rawNonce == nil, JSONObject(claimsOf: token.idToken)?["nonce"] != nil else {
            return eventLoop.makeSucceededFuture(nil)
        }
        let (handedOut, now) = (handedOut(token.idToken), broker.now)
        return broker.read(handedOut.key).map { $0.flatMap { handedOut.open($0, now: now) } }
    }

    private func handedOut(_ idToken: String) -> HandedOutToken {
        HandedOutToken(idToken, app: app.name, projectID: service.tokens.projectID)
    }
}

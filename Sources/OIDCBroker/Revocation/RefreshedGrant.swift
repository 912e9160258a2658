// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty

/// A grant whose refresh token was used to find out whose it is, and what follows from that. It sends nothing.
///
/// A provider may have replaced the refresh token. Then the app's own no longer is one, and only the broker knows the
/// new one, which is therefore either revoked in this request or lost.
struct RefreshedGrant {
    /// Whose the grant is, as far as it is known.
    enum Owner {
        /// That of the user who asks.
        case person
        /// Another user's.
        case otherPerson
        /// The provider sent no ID token with the refresh.
        case unknown
    }

    /// What to do next.
    enum Step: Equatable {
        /// Revoke the token. The response is a success only if the provider does.
        case revoke(Secret)
        /// Ask UserInfo whose the access token is.
        case askUserInfo(Secret)
        /// Refuse the request and, if there is a token, revoke it nevertheless, since no app has it.
        case refuse(TokenRevocation.Refusal, abandoning: Secret?)
    }

    /// The newest refresh token.
    let newest: Secret
    /// Whether the newest refresh token is another one than the app's.
    let isRotated: Bool
    /// The access token of the refresh.
    let accessToken: Secret

    init(_ response: RefreshResponse, of token: Secret) {
        newest = response.refreshToken.map { Secret($0) } ?? token
        isRotated = response.refreshToken.map { !$0.hasSameBytes(as: token.exposed) } ?? false
        accessToken = Secret(response.accessToken)
    }

    /// Returns what to do after the refresh.
    /// - Parameter hasUserInfo: Whether the provider has a UserInfo endpoint.
    func step(after owner: Owner, hasUserInfo: Bool) -> Step {
        switch owner {
        case .person: return .revoke(newest)
        // It is left alone: the one who presents it is not its owner.
        case .otherPerson: return .refuse(.otherPerson, abandoning: nil)
        case .unknown:
            guard hasUserInfo else {
                return .refuse(.noIDTokenAndNoUserInfo, abandoning: isRotated ? newest : nil)
            }
            return .askUserInfo(accessToken)
        }
    }

    /// Returns what to do after UserInfo.
    /// - Parameter error: The reason why UserInfo did not confirm the user; `nil` if it did.
    func step(afterUserInfo error: (any Error)?) -> Step {
        guard let error else { return .revoke(newest) }
        let isTemporary = (error as? RelyingPartyError)?.isTemporary == true
        return .refuse(isTemporary ? .userInfoUnavailable : .userInfoRefused, abandoning: isRotated ? newest : nil)
    }
}

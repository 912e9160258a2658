// SPDX-License-Identifier: Apache-2.0

/// A test module of the OpenID conformance suite (revision 12f2a4d of 2026-08-20) about the sign-in of a relying party.
///
/// An ``OpenIDProvider`` with the module's ``misbehavior`` behaves as the suite does in it, once provider and client have
/// the module's ``setting``.
public struct ConformanceModule: Sendable, Hashable, CustomStringConvertible {
    /// The required result of a module.
    public enum Expectation: String, Sendable, Hashable {
        /// The sign-in or the refresh is completed.
        case accepted
        /// The sign-in ends with an error, and no further request is sent to the provider.
        case rejected
    }

    /// The conditions of a module in addition to the provider's ``Misbehavior``.
    public struct Setting: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case standard
            case signedByES256
            case signedByHS256
            case signedUserInfo
            case mutualTLS
            case keysRotatedBetween
            case noSession
            case dpop
            case dpopWithNonces
            case refreshed
            case refreshedUntilAccepted
        }

        package let kind: Kind

        private init(_ kind: Kind) {
            self.kind = kind
        }

        /// ID tokens are signed by RS256 (FAPI 2.0: PS256), and the client authenticates by `client_secret_basic` (FAPI
        /// 2.0: `tls_client_auth`). There is one sign-in and, if there is an access token, a UserInfo request.
        public static let standard = Setting(.standard)
        /// ID tokens are signed by ES256.
        public static let signedByES256 = Setting(.signedByES256)
        /// ID tokens are signed with the client secret by HS256, for which the client is registered.
        public static let signedByHS256 = Setting(.signedByHS256)
        /// The client is registered for signed UserInfo.
        public static let signedUserInfo = Setting(.signedUserInfo)
        /// The client authenticates by `tls_client_auth`, at the endpoints of `mtls_endpoint_aliases`.
        public static let mutualTLS = Setting(.mutualTLS)
        /// There are two sign-ins, and the provider's keys are replaced between them.
        public static let keysRotatedBetween = Setting(.keysRotatedBetween)
        /// The client sends `max_age=0` and `prompt=none`, and no one is signed in at the provider.
        public static let noSession = Setting(.noSession)
        /// The client authenticates by `private_key_jwt`, and its access tokens are bound by DPoP.
        public static let dpop = Setting(.dpop)
        /// The same, and the provider asks for nonces in proofs.
        public static let dpopWithNonces = Setting(.dpopWithNonces)
        /// The refresh token is used after the sign-in.
        public static let refreshed = Setting(.refreshed)
        /// After the sign-in, UserInfo is requested and the refresh token used until the UserInfo request succeeds.
        public static let refreshedUntilAccepted = Setting(.refreshedUntilAccepted)
    }

    /// The name of the module in the suite.
    public let name: String
    /// The misbehavior of the provider.
    public let misbehavior: Misbehavior
    /// The required result.
    public let expectation: Expectation
    /// The plans that contain the module.
    public let plans: [ConformancePlan]
    /// The additional conditions.
    public let setting: Setting

    init(
        _ name: String, _ misbehavior: Misbehavior, _ expectation: Expectation, in plans: [ConformancePlan],
        _ setting: Setting = .standard
    ) {
        self.name = name
        self.misbehavior = misbehavior
        self.expectation = expectation
        self.plans = plans
        self.setting = setting
    }

    public var description: String { name }
}

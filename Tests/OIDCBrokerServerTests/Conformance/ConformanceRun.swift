// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing

/// One module in one plan: a row of the table in `Documentation/Reports/Conformance.md`.
struct ConformanceRun: Sendable, Hashable, CustomTestStringConvertible {
    let module: ConformanceModule
    let plan: ConformancePlan

    /// Every module in every plan it belongs to, plan by plan.
    static let all = ConformancePlan.all.flatMap { plan in
        ConformanceModule.all.filter { $0.plans.contains(plan) }.map { Self(module: $0, plan: plan) }
    }

    var testDescription: String { "\(plan.name): \(module.name)" }

    /// Runs it. What follows a sign-in does not involve the broker, so a relying party is called directly.
    func perform() async throws -> ConformanceVerdict {
        switch module.setting.kind {
        case .refreshed, .refreshedUntilAccepted:
            return try await ConformanceRefresh(options: options, setting: module.setting).perform()
        case .noSession:
            let parameters = [("max_age", "0"), ("prompt", "none")]
            return try await ConformanceSignIn(options: options, appParameters: parameters).perform()
        case .keysRotatedBetween:
            return try await ConformanceSignIn(options: options, rotatesKeysBefore: true).perform()
        case .standard, .signedByES256, .signedByHS256, .signedUserInfo, .mutualTLS, .dpop, .dpopWithNonces:
            return try await ConformanceSignIn(options: options).perform()
        }
    }

    /// Broker and provider as the plan and the module want them.
    var options: SignInFixture.Options {
        var options = SignInFixture.Options()
        options.responseType = plan.responseType
        options.responseMode = plan.responseMode
        options.misbehavior = module.misbehavior
        options.userInfo = plan.responseType.hasCode
        options.sharesKeys = true
        options.signingAlgorithm = .rs256
        options.clientAuthentication = .clientSecretBasic
        if plan == .fapi2 || plan == .fapi2MessageSigning {
            options.signsRequests = plan == .fapi2MessageSigning
            options.signingAlgorithm = .ps256
            options.publishesDecoyKeys = true
            options.requiresPushedAuthorization = true
            options.securityProfile = .fapi2
            useMutualTLS(&options)
        }
        switch module.setting.kind {
        case .standard, .keysRotatedBetween, .noSession, .refreshed, .refreshedUntilAccepted: break
        case .signedByES256: options.signingAlgorithm = .es256
        case .signedByHS256:
            options.hasSymmetricIDTokens = true
            options.clientSecret = ClientProofs.longSecret
        case .signedUserInfo: options.signsUserInfo = true
        case .mutualTLS: useMutualTLS(&options)
        case .dpop, .dpopWithNonces:
            options.clientAuthentication = .privateKeyJWT
            options.tokenBinding = .dpop
            options.dpopNonce = module.setting == .dpopWithNonces ? "first" : nil
        }
        return options
    }

    private func useMutualTLS(_ options: inout SignInFixture.Options) {
        options.clientAuthentication = .tlsClientAuth
        options.clientSecret = nil
    }

    /// Whether the provider was asked for what it must be, in the right order, and for nothing beyond.
    func allows(_ steps: [ProviderStep]) -> Bool {
        let way = ProviderStep.way(options)
        let isAccepted = module.expectation == .accepted
        switch module.setting.kind {
        case .refreshed:
            return steps == Array(way.dropLast()) + [.token] + (isAccepted ? [.userInfo] : [])
        case .refreshedUntilAccepted:
            return steps == way + [.token, .userInfo, .token, .userInfo]
        case .keysRotatedBetween:
            return steps == Array(way.dropFirst())
        default:
            guard !isAccepted else { return steps == way }
            // An ID token may be refused before the keys are asked for; whatever else shows that something is wrong
            // was itself asked for.
            let last = way.firstIndex(of: furthest).map { $0 + 1 } ?? 0
            let least = furthest == .keys ? last - 1 : last
            return (least...last).contains(steps.count) && steps == Array(way.prefix(steps.count))
        }
    }

    /// The last step that the provider may be asked for where the module is to be rejected.
    private var furthest: ProviderStep {
        switch module.misbehavior {
        case .issuerMismatch: .discovery
        case .omitsIssuer, .wrongIssuerInAuthorizationResponse, .omitsState, .wrongStateInAuthorizationResponse:
            .authorization
        case .userInfoWrongSubject: .userInfo
        default:
            if module.setting == .noSession {
                .authorization
            } else {
                options.hasSymmetricIDTokens ? .token : .keys
            }
        }
    }
}

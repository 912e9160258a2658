// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

/// A test plan of the OpenID conformance suite for relying parties, as far as it concerns sign-ins.
package enum ConformancePlan: String, Sendable, Hashable, CaseIterable {
    /// `oidcc-client-basic-certification-test-plan`.
    case basic = "Basic RP"
    /// `oidcc-client-config-certification-test-plan`.
    case config = "Config RP"
    /// The response type `id_token` of `oidcc-client-implicit-certification-test-plan`, which has two.
    case implicit = "Implicit RP"
    /// The response type `code id_token` of `oidcc-client-hybrid-certification-test-plan`, which has three.
    case hybrid = "Hybrid RP"
    /// The modules of `oidcc-client-formpost-basic-certification-test-plan`: Basic by `form_post`.
    case formPostBasic = "Form Post RP (basic)"
    /// The modules of `oidcc-client-formpost-implicit-certification-test-plan`: Implicit by `form_post`.
    case formPostImplicit = "Form Post RP (implicit)"
    /// The modules of `oidcc-client-formpost-hybrid-certification-test-plan`: Hybrid by `form_post`.
    case formPostHybrid = "Form Post RP (hybrid)"
    /// The modules of `oidcc-client-test-plan` that are not in the certification plans; response type `code`.
    case comprehensive = "Comprehensive"
    /// `oidcc-client-refreshtoken-test-plan`.
    case refresh = "Refresh token"
    /// `fapi2-security-profile-final-client-test-plan` with `client_auth_type` and `sender_constrain` set to `mtls`.
    case fapi2 = "FAPI 2.0 Security Profile"

    /// The response type of the plan.
    package var responseType: ResponseType {
        switch self {
        case .basic, .config, .formPostBasic, .comprehensive, .refresh, .fapi2: .code
        case .implicit, .formPostImplicit: .idToken
        case .hybrid, .formPostHybrid: .codeIDToken
        }
    }

    /// The response mode of the plan. The suite's "default" is the default mode of the response type.
    package var responseMode: ResponseMode {
        switch self {
        case .basic, .config, .comprehensive, .refresh, .fapi2: .query
        case .implicit, .hybrid: .fragment
        case .formPostBasic, .formPostImplicit, .formPostHybrid: .formPost
        }
    }
}

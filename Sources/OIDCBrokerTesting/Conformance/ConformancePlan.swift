// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

/// A test plan of the OpenID conformance suite for relying parties, as far as a sign-in is in it.
package enum ConformancePlan: String, Sendable, Hashable, CaseIterable {
    /// `oidcc-client-basic-certification-test-plan`.
    case basic = "Basic RP"
    /// `oidcc-client-config-certification-test-plan`.
    case config = "Config RP"
    /// `oidcc-client-implicit-certification-test-plan`; of its two response types `id_token`.
    case implicit = "Implicit RP"
    /// `oidcc-client-hybrid-certification-test-plan`; of its three response types `code id_token`.
    case hybrid = "Hybrid RP"
    /// The modules of `oidcc-client-formpost-basic-certification-test-plan`: Basic by `form_post`.
    case formPostBasic = "Form Post RP (basic)"
    /// The modules of `oidcc-client-formpost-implicit-certification-test-plan`: Implicit by `form_post`.
    case formPostImplicit = "Form Post RP (implicit)"
    /// The modules of `oidcc-client-formpost-hybrid-certification-test-plan`: Hybrid by `form_post`.
    case formPostHybrid = "Form Post RP (hybrid)"
    /// What `oidcc-client-test-plan` has beyond the plans of certification; response type `code`.
    case comprehensive = "Comprehensive"
    /// `oidcc-client-refreshtoken-test-plan`.
    case refresh = "Refresh token"
    /// `fapi2-security-profile-final-client-test-plan`, `client_auth_type` and `sender_constrain` both `mtls`.
    case fapi2 = "FAPI 2.0 Security Profile"

    /// The plan's response type.
    package var responseType: ResponseType {
        switch self {
        case .basic, .config, .formPostBasic, .comprehensive, .refresh, .fapi2: .code
        case .implicit, .formPostImplicit: .idToken
        case .hybrid, .formPostHybrid: .codeIDToken
        }
    }

    /// The plan's response mode; where the suite says "default", the default of the response type.
    package var responseMode: ResponseMode {
        switch self {
        case .basic, .config, .comprehensive, .refresh, .fapi2: .query
        case .implicit, .hybrid: .fragment
        case .formPostBasic, .formPostImplicit, .formPostHybrid: .formPost
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect

/// A test plan of the OpenID conformance suite for relying parties, as far as it concerns sign-ins.
public struct ConformancePlan: Sendable, Hashable, CustomStringConvertible {
    /// The name of the plan.
    public let name: String
    /// The response type of the plan.
    public let responseType: ResponseType
    /// The response mode of the plan. The suite's "default" is the default mode of the response type.
    public let responseMode: ResponseMode

    private init(_ name: String, _ responseType: ResponseType, _ responseMode: ResponseMode) {
        self.name = name
        self.responseType = responseType
        self.responseMode = responseMode
    }

    /// `oidcc-client-basic-certification-test-plan`.
    public static let basic = Self("Basic RP", .code, .query)
    /// `oidcc-client-config-certification-test-plan`.
    public static let config = Self("Config RP", .code, .query)
    /// The response type `id_token` of `oidcc-client-implicit-certification-test-plan`, which has two.
    public static let implicit = Self("Implicit RP", .idToken, .fragment)
    /// The response type `code id_token` of `oidcc-client-hybrid-certification-test-plan`, which has three.
    public static let hybrid = Self("Hybrid RP", .codeIDToken, .fragment)
    /// The modules of `oidcc-client-formpost-basic-certification-test-plan`: Basic by `form_post`.
    public static let formPostBasic = Self("Form Post RP (basic)", .code, .formPost)
    /// The modules of `oidcc-client-formpost-implicit-certification-test-plan`: Implicit by `form_post`.
    public static let formPostImplicit = Self("Form Post RP (implicit)", .idToken, .formPost)
    /// The modules of `oidcc-client-formpost-hybrid-certification-test-plan`: Hybrid by `form_post`.
    public static let formPostHybrid = Self("Form Post RP (hybrid)", .codeIDToken, .formPost)
    /// The modules of `oidcc-client-test-plan` that are not in the certification plans; response type `code`.
    public static let comprehensive = Self("Comprehensive", .code, .query)
    /// `oidcc-client-refreshtoken-test-plan`.
    public static let refresh = Self("Refresh token", .code, .query)
    /// `fapi2-security-profile-final-client-test-plan` with `client_auth_type` and `sender_constrain` set to `mtls`.
    public static let fapi2 = Self("FAPI 2.0 Security Profile", .code, .query)

    /// The modules with signed responses of `fapi2-message-signing-final-client-test-plan`, with `client_auth_type` and
    /// `sender_constrain` set to `mtls`. Requests are signed as well.
    public static let fapi2MessageSigning = Self("FAPI 2.0 Message Signing", .code, .jwt)

    /// The plans whose modules are run. More may be added.
    public static let all: [ConformancePlan] = [
        .basic, .config, .implicit, .hybrid, .formPostBasic, .formPostImplicit, .formPostHybrid, .comprehensive,
        .refresh,
        .fapi2, .fapi2MessageSigning,
    ]

    public var description: String { name }
}

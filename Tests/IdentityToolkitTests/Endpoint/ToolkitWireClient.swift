// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OIDCBroker

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// An SDK, and the app that uses it.
enum ToolkitWireClient: String, Sendable, CaseIterable {
    case javaScript = "JavaScript"
    case ios = "iOS"
    case android = "Android"
    case cpp = "C++"

    /// The app. That for JavaScript is the one that each ``ToolkitInstallation`` has.
    var app: SDKApp {
        SDKApp(
            name: kind.rawValue, kind: kind, apiKey: apiKey,
            nativeAudiences: ["acme", "bold", "apple"].map { SDKApp.NativeAudience(provider: $0, audience: audience) })
    }

    var apiKey: String { kind.rawValue + "-4f1c0000" }

    /// The client ID of the app at each provider.
    var audience: String { self == .javaScript ? ToolkitInstallation.audience : kind.rawValue + "-at-provider" }

    private var kind: SDKApp.Kind {
        switch self {
        case .javaScript: .web
        case .ios: .ios
        case .android: .android
        case .cpp: .desktop
        }
    }

    /// The fields of each request.
    var fields: HTTPFields {
        switch self {
        case .javaScript: [.origin: ToolkitInstallation.origin]
        case .ios: [.iOSBundleIdentifier: audience]
        case .android, .cpp: [:]
        }
    }

    /// The path of an operation. Only JavaScript sends what has two of them to the newer one.
    func path(_ operation: ToolkitOperation) -> String {
        switch operation {
        case .signInWithIdp: path("accounts:signInWithIdp", legacy: "verifyAssertion")
        case .lookup: path("accounts:lookup", legacy: "getAccountInfo")
        case .update: path("accounts:update", legacy: "setAccountInfo")
        case .delete: path("accounts:delete", legacy: "deleteAccount")
        case .createAuthUri: path("accounts:createAuthUri", legacy: "createAuthUri")
        case .project: path("projects", legacy: "getProjectConfig")
        case .unsupported: path("accounts:signInWithPassword", legacy: "verifyPassword")
        case .revokeToken: "/identitytoolkit.googleapis.com/v2/accounts:revokeToken"
        case .token: "/securetoken.googleapis.com/v1/token"
        }
    }

    private func path(_ name: String, legacy: String) -> String {
        self == .javaScript ? ToolkitInstallation.toolkit + name : ToolkitInstallation.legacy + legacy
    }
}

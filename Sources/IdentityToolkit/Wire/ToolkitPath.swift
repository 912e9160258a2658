// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A path of the wire. Its first segment is the host that the SDK would have called, as its emulator mode writes it.
struct ToolkitPath: Sendable, Hashable {
    /// The operation.
    let operation: ToolkitOperation
    /// The HTTP methods, in the order of an `Allow` field.
    let methods: [String]

    /// Finds a path; `nil` if it does not belong to the wire. Paths are compared byte by byte, undecoded.
    /// - Parameter path: The raw path, without the query.
    init?(path: String) {
        // The server asks for every request, so most paths are refused by their length.
        guard Self.lengths.contains(path.utf8.count), let known = Self.all[WireText(path)] else { return nil }
        self = known
    }

    private init(_ operation: ToolkitOperation, _ methods: [String]) {
        self.operation = operation
        self.methods = methods
    }

    /// Whether a method is one of the path's.
    func allows(method: String) -> Bool { methods.contains { method.hasSameBytes(as: $0) } }

    // MARK: The table

    private static let toolkit1 = "/identitytoolkit.googleapis.com/v1/"
    private static let toolkit2 = "/identitytoolkit.googleapis.com/v2/"
    private static let legacy = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"

    private static let all: [WireText: ToolkitPath] = {
        let (post, either) = (["POST"], ["GET", "POST"])
        var all: [WireText: ToolkitPath] = [:]
        func add(_ path: String, _ operation: ToolkitOperation, _ methods: [String]) {
            all[WireText(path)] = ToolkitPath(operation, methods)
        }
        add(toolkit1 + "accounts:signInWithIdp", .signInWithIdp, post)
        add(legacy + "verifyAssertion", .signInWithIdp, post)
        add(toolkit1 + "accounts:lookup", .lookup, post)
        add(legacy + "getAccountInfo", .lookup, post)
        add(toolkit1 + "accounts:update", .update, post)
        add(legacy + "setAccountInfo", .update, post)
        add(toolkit1 + "accounts:delete", .delete, post)
        add(legacy + "deleteAccount", .delete, post)
        add(toolkit1 + "accounts:createAuthUri", .createAuthUri, post)
        add(legacy + "createAuthUri", .createAuthUri, post)
        add(toolkit1 + "projects", .project, ["GET"])
        add(legacy + "getProjectConfig", .project, either)
        add(toolkit2 + "accounts:revokeToken", .revokeToken, post)
        add("/securetoken.googleapis.com/v1/token", .token, post)
        // Some of these are asked with GET. What cannot be done is answered whatever the method is.
        for name in unsupportedOfToolkit1 { add(toolkit1 + name, .unsupported, either) }
        for name in unsupportedOfToolkit2 { add(toolkit2 + name, .unsupported, either) }
        for name in unsupportedOfLegacy { add(legacy + name, .unsupported, either) }
        return all
    }()

    private static let lengths: ClosedRange<Int> = {
        let lengths = all.keys.map { $0.utf8.count }
        return (lengths.min() ?? 0)...(lengths.max() ?? 0)
    }()

    // What the SDKs know besides: passwords, email links, phones, anonymous and custom-token sign-in, several factors,
    // passkeys, reCAPTCHA and the policy of passwords.

    private static let unsupportedOfToolkit1 = [
        "accounts:signUp", "accounts:signInWithPassword", "accounts:signInWithCustomToken",
        "accounts:signInWithEmailLink", "accounts:signInWithPhoneNumber", "accounts:signInWithGameCenter",
        "accounts:sendVerificationCode", "accounts:sendOobCode", "accounts:resetPassword", "accounts:verifyIosClient",
        "recaptchaParams",
    ]

    private static let unsupportedOfToolkit2 = [
        "accounts/mfaEnrollment:start", "accounts/mfaEnrollment:finalize", "accounts/mfaEnrollment:withdraw",
        "accounts/mfaSignIn:start", "accounts/mfaSignIn:finalize", "accounts/passkeyEnrollment:start",
        "accounts/passkeyEnrollment:finalize", "accounts/passkeySignIn:start", "accounts/passkeySignIn:finalize",
        "recaptchaConfig", "passwordPolicy",
    ]

    private static let unsupportedOfLegacy = [
        "signupNewUser", "verifyPassword", "verifyCustomToken", "emailLinkSignin", "verifyPhoneNumber",
        "signInWithGameCenter", "sendVerificationCode", "getOobConfirmationCode", "resetPassword", "verifyClient",
        "getRecaptchaParam", "signOutUser",
    ]
}

// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IdentityToolkit

/// Which paths are the wire's.
struct ToolkitPathTests {
    private static let offered: [(path: String, operation: ToolkitOperation, methods: [String])] = [
        ("/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp", .signInWithIdp, ["POST"]),
        ("/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyAssertion", .signInWithIdp, ["POST"]),
        ("/identitytoolkit.googleapis.com/v1/accounts:lookup", .lookup, ["POST"]),
        ("/www.googleapis.com/identitytoolkit/v3/relyingparty/getAccountInfo", .lookup, ["POST"]),
        ("/identitytoolkit.googleapis.com/v1/accounts:update", .update, ["POST"]),
        ("/www.googleapis.com/identitytoolkit/v3/relyingparty/setAccountInfo", .update, ["POST"]),
        ("/identitytoolkit.googleapis.com/v1/accounts:delete", .delete, ["POST"]),
        ("/www.googleapis.com/identitytoolkit/v3/relyingparty/deleteAccount", .delete, ["POST"]),
        ("/identitytoolkit.googleapis.com/v1/accounts:createAuthUri", .createAuthUri, ["POST"]),
        ("/www.googleapis.com/identitytoolkit/v3/relyingparty/createAuthUri", .createAuthUri, ["POST"]),
        ("/identitytoolkit.googleapis.com/v1/projects", .project, ["GET"]),
        ("/www.googleapis.com/identitytoolkit/v3/relyingparty/getProjectConfig", .project, ["GET", "POST"]),
        ("/identitytoolkit.googleapis.com/v2/accounts:revokeToken", .revokeToken, ["POST"]),
        ("/securetoken.googleapis.com/v1/token", .token, ["POST"]),
    ]

    @Test func `every operation has its paths and their methods`() throws {
        for row in Self.offered {
            let path = try #require(ToolkitPath(path: row.path), "\(row.path)")
            #expect(path.operation == row.operation, "\(row.path)")
            #expect(path.methods == row.methods, "\(row.path)")
            for method in ["GET", "POST", "PUT", "HEAD", "post", ""] {
                #expect(path.allows(method: method) == row.methods.contains(method), "\(row.path) \(method)")
            }
        }
        let operations = Set(Self.offered.map { $0.operation })
        #expect(operations.union([.unsupported]) == Set(ToolkitOperation.allCases))
    }

    @Test(arguments: [
        "/identitytoolkit.googleapis.com/v1/accounts:signUp",
        "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword",
        "/identitytoolkit.googleapis.com/v1/accounts:signInWithEmailLink",
        "/identitytoolkit.googleapis.com/v1/accounts:signInWithPhoneNumber",
        "/identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken",
        "/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode",
        "/identitytoolkit.googleapis.com/v1/accounts:sendOobCode",
        "/identitytoolkit.googleapis.com/v1/accounts:resetPassword",
        "/identitytoolkit.googleapis.com/v1/recaptchaParams",
        "/identitytoolkit.googleapis.com/v2/recaptchaConfig",
        "/identitytoolkit.googleapis.com/v2/passwordPolicy",
        "/identitytoolkit.googleapis.com/v2/accounts/mfaEnrollment:start",
        "/identitytoolkit.googleapis.com/v2/accounts/mfaEnrollment:finalize",
        "/identitytoolkit.googleapis.com/v2/accounts/mfaEnrollment:withdraw",
        "/identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:start",
        "/identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:finalize",
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/signupNewUser",
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword",
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyCustomToken",
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/emailLinkSignin",
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPhoneNumber",
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/sendVerificationCode",
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/getOobConfirmationCode",
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/resetPassword",
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyClient",
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/getRecaptchaParam",
    ])
    func `what the SDKs know besides is answered too`(path: String) throws {
        let known = try #require(ToolkitPath(path: path))
        #expect(known.operation == .unsupported)
        #expect(known.allows(method: "GET"))
        #expect(known.allows(method: "POST"))
    }

    @Test(arguments: [
        "", "/", "/v1/accounts:lookup", "/identitytoolkit.googleapis.com", "/identitytoolkit.googleapis.com/v1/",
        "/identitytoolkit.googleapis.com/v1/accounts:lookup/", "/identitytoolkit.googleapis.com/v1/accounts:lookup?",
        "//identitytoolkit.googleapis.com/v1/accounts:lookup", "/identitytoolkit.googleapis.com/v2/accounts:lookup",
        "/identitytoolkit.googleapis.com/v1/accounts:revokeToken",
        "/identitytoolkit.googleapis.com/v1/accounts%3Alookup",
        "/identitytoolkit.googleapis.com/v1/accounts:Lookup", "/IdentityToolkit.googleapis.com/v1/accounts:lookup",
        "/identitytoolkit.googleapis.com/v1/accounts", "/identitytoolkit.googleapis.com/v1/projects/demo",
        "/identitytoolkit.googleapis.com/v1/projects/demo/accounts:lookup", "/securetoken.googleapis.com/v1/token/",
        "/www.googleapis.com/v1/accounts:lookup", "/__/auth/handler",
        "/identitytoolkit.googleapis.com/v1/accounts:loo\u{212A}up",
    ])
    func `no other path is claimed`(path: String) {
        #expect(ToolkitPath(path: path) == nil)
    }
}

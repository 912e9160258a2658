// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting

@testable import IdentityToolkit

// Refreshes.
extension ToolkitWireTable {
    static let form = "application/x-www-form-urlencoded"
    static let refreshed = [
        "access_token", "expires_in", "token_type", "refresh_token", "id_token", "user_id", "project_id",
    ]

    static let refreshes: [Row] = [
        Row(
            "a form", .javaScript, .token,
            .members(
                refreshed, ["expires_in": "3600", "token_type": "Bearer", "project_id": "222513793359"]),
            contentType: form, text: { Scene.form(try await $0.session()) }),
        Row(
            "a form of UTF-8, with a tenant", .javaScript, .token, .members(refreshed),
            contentType: "application/x-www-form-urlencoded;charset=UTF-8",
            text: { "tenantId=&" + Scene.form(try await $0.session()) + "&x=%C3%A9+y" }),
        Row(
            "a form in camel case", .javaScript, .token, .members(refreshed), contentType: form,
            text: { "refreshToken=" + (try await $0.session().refreshToken) + "&grantType=refresh_token" }),
        Row("JSON", .ios, .token, .members(refreshed), json: { Scene.refresh(try await $0.session()) }),
        Row("JSON", .cpp, .token, .members(refreshed), json: { Scene.refresh(try await $0.session()) }),
        Row(
            "JSON in snake case", .android, .token, .members(refreshed, ["expires_in": "3600"]),
            json: { scene in
                let session = try await scene.session()
                return ["grant_type": "refresh_token", "refresh_token": .string(session.refreshToken)]
            }),
        Row(
            "the same refresh token again", .ios, .token, .members(refreshed),
            json: { scene in
                let request = Scene.refresh(try await scene.session())
                try await scene.answer(.token, request)
                return request
            }),
        Row(
            "a session that was not used for 400 days", .ios, .token, .members(refreshed),
            json: { scene in
                let request = Scene.refresh(try await scene.session())
                scene.installation.clock.advance(by: 400 * 86_400)
                return request
            }),
    ]

    private static let refusedForms: [(String, ToolkitError.Code)] = [
        ("", .missingGrantType), ("refresh_token=x", .missingGrantType), ("grant_type=", .missingGrantType),
        ("grant_type=authorization_code&code=c0de", .invalidGrantType),
        ("grant_type=REFRESH_TOKEN&refresh_token=x", .invalidGrantType),
        ("grant_type=refresh_token", .missingRefreshToken),
        ("grant_type=refresh_token&refresh_token=", .missingRefreshToken),
        ("grant_type=refresh_token&refresh_token=x", .invalidRefreshToken),
        ("grant_type=refresh_token&refresh_token=%C3%A9", .invalidRefreshToken),
        ("grant_type=refresh_token&refresh_token=%zz", .invalidArgument),
    ]

    private static let refusedJSON: [(String, ToolkitError.Code)] = [
        ("", .missingGrantType), ("{}", .missingGrantType), (#"{"grantType":7}"#, .invalidGrantType),
        (#"{"grantType":"refresh_token"}"#, .missingRefreshToken),
        (#"{"grantType":"refresh_token","refreshToken":null}"#, .missingRefreshToken),
        (#"{"grantType":"refresh_token","refreshToken":7}"#, .invalidRefreshToken),
    ]

    static let refusedRefreshes: [Row] =
        refusedForms.map { body, code -> Row in
            Row("the form \(body)", .javaScript, .token, .error(code), contentType: form, text: { _ in body })
        }
        + refusedJSON.map { body, code -> Row in
            Row("the body \(body)", .cpp, .token, .error(code), text: { _ in body })
        }

    static let refusedSessions: [Row] = [Client.javaScript, .ios].flatMap { client -> [Row] in
        [
            Row(
                "a damaged refresh token", client, .token, .error(.invalidRefreshToken),
                json: { scene in
                    let text = try await scene.session().refreshToken
                    return ["grantType": "refresh_token", "refreshToken": .string("\(text.dropLast())_")]
                }),
            Row(
                "an ID token", client, .token, .error(.invalidRefreshToken),
                json: { scene in
                    ["grantType": "refresh_token", "refreshToken": .string(try await scene.session().idToken)]
                }),
            Row(
                "the identifier of a session with another secret", client, .token, .error(.tokenExpired),
                json: { scene in
                    guard let own = RefreshToken(try await scene.session().refreshToken) else { return [:] }
                    let guess = RefreshToken(session: own.sessionID).text
                    return ["grantType": "refresh_token", "refreshToken": .string(guess)]
                }),
            Row(
                "a session that has ended", client, .token, .error(.tokenExpired),
                json: { scene in
                    let session = try await scene.session()
                    try scene.endSessions(of: session)
                    return Scene.refresh(session)
                }),
            Row(
                "a session that was not used for 401 days", client, .token, .error(.tokenExpired),
                json: { scene in
                    let session = try await scene.session()
                    scene.installation.clock.advance(by: 401 * 86_400)
                    return Scene.refresh(session)
                }),
            Row(
                "a deleted account", client, .token, .error(.tokenExpired),
                json: { scene in
                    let session = try await scene.session()
                    try await scene.answer(.delete, ["idToken": .string(session.idToken)])
                    return Scene.refresh(session)
                }),
            Row(
                "a disabled account", client, .token, .error(.userDisabled),
                json: { scene in
                    let session = try await scene.session()
                    try scene.disable(session)
                    return Scene.refresh(session)
                }),
        ]
    }
}

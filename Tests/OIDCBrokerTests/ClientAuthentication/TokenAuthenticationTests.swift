// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OpenIDRelyingParty
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// Authentication of apps at the token endpoint.
struct TokenAuthenticationTests {
    enum Proof: String, CaseIterable, Sendable {
        case none, basic, post, both, wrongBasic, wrongPost
    }

    private func signedIn(_ app: AppClient) throws -> (Installation, String) {
        let installation = try Installation()
        var browser = Browser(installation)
        return (installation, try #require(try browser.signIn(app)["code"]))
    }

    /// The token request of an app with that proof, with the secret of the confidential one.
    private func redeem(
        _ proof: Proof, _ app: AppClient, _ code: String, _ installation: Installation
    ) throws -> BrokerResponse {
        var plain = app
        plain.secret = nil
        var form = plain.tokenForm(code)
        var fields = HTTPFields()
        let secret = Installation.backSecret
        if proof == .basic || proof == .both { fields = Installation.basic(app.clientID, secret) }
        if proof == .wrongBasic { fields = Installation.basic(app.clientID, secret + "x") }
        if proof == .post || proof == .both { form.append(("client_secret", secret)) }
        if proof == .wrongPost { form.append(("client_secret", secret + "x")) }
        return try installation.token(form, fields: fields)
    }

    @Test(arguments: Proof.allCases)
    func `a confidential app: by one method, with the right secret`(proof: Proof) throws {
        let app = AppClient.back
        let (installation, code) = try signedIn(app)
        let response = try redeem(proof, app, code, installation)
        switch proof {
        case .basic, .post:
            #expect(response.status == 200, "\(response.text)")
            return
        case .both:
            #expect(response.status == 400)
            #expect(try response.json()["error"]?.text?.makeString() == "invalid_request")
        case .none, .wrongBasic, .wrongPost:
            #expect(response.status == 401)
            #expect(try response.json()["error"]?.text?.makeString() == "invalid_client")
        }
        let challenge = response.head.headerFields[.wwwAuthenticate]
        #expect((challenge?.hasPrefix("Basic") == true) == (proof == .wrongBasic))
        // None of it burns the code, since the sender may not have been the app.
        #expect(try installation.redeem(code, app).status == 200)
    }

    @Test func `of two secrets each authenticates the app, and one that was dropped does not`() throws {
        let (older, newer) = (Installation.backSecret, "the newer one of the two")
        let installation = try Installation {
            $0.apps[1].clientSecret = nil
            $0.apps[1].clientSecrets = [Secret(newer), Secret(older)]
        }
        func redeem(_ secret: String, isForm: Bool) throws -> Int {
            var browser = Browser(installation)
            var app = AppClient.back
            let code = try #require(try browser.signIn(app)["code"])
            app.secret = isForm ? secret : nil
            let fields = isForm ? HTTPFields() : Installation.basic(app.clientID, secret)
            return try installation.token(app.tokenForm(code), fields: fields).status
        }
        for isForm in [false, true] {
            #expect(try redeem(older, isForm: isForm) == 200)
            #expect(try redeem(newer, isForm: isForm) == 200)
            #expect(try redeem(newer + "x", isForm: isForm) == 401)
        }
        var configuration = installation.configuration
        configuration.apps[1].clientSecrets = [Secret(newer)]
        try installation.broker.reload(configuration)
        #expect(try redeem(older, isForm: true) == 401)
        #expect(try redeem(newer, isForm: true) == 200)
    }

    @Test(arguments: Proof.allCases)
    func `a public app: without any secret`(proof: Proof) throws {
        let app = AppClient.shop
        let (installation, code) = try signedIn(app)
        let response = try redeem(proof, app, code, installation)
        switch proof {
        case .none:
            #expect(response.status == 200)
            return
        case .both:
            #expect(response.status == 400)
        case .basic, .post, .wrongBasic, .wrongPost:
            #expect(response.status == 401)
            #expect(try response.json()["error"]?.text?.makeString() == "invalid_client")
        }
        #expect(try installation.redeem(code, app).status == 200)
    }

    @Test func `HTTP Basic alone names the app; a client_id beside it must be the same`() throws {
        let app = AppClient.back
        let (installation, code) = try signedIn(app)
        let fields = Installation.basic(app.clientID, Installation.backSecret)
        let form = app.tokenForm(code).filter { $0.0 != "client_secret" && $0.0 != "client_id" }
        let other = try installation.token(form + [("client_id", "shop")], fields: fields)
        #expect(other.status == 400)
        #expect(try installation.token(form, fields: fields).status == 200)
    }

    @Test(
        arguments: [
            "Bearer x", "Basic", "Basic !", "Basic eA==", "Basic Og==", "Basic OmI=", "Basic eDr/", "Negotiate x",
        ])
    func `an Authorization field that is not Basic of id and secret is refused`(header: String) throws {
        let (installation, code) = try signedIn(.shop)
        let response = try installation.token(AppClient.shop.tokenForm(code), fields: [.authorization: header])
        #expect(response.status == 401)
        #expect(response.head.headerFields[.wwwAuthenticate]?.hasPrefix("Basic") == true)
    }

    /// The Authorization field of a client that does not encode.
    private func unencoded(_ clientID: String, _ secret: String) -> HTTPFields {
        [.authorization: "Basic " + Base64.encode(Array("\(clientID):\(secret)".utf8))]
    }

    @Test func `an empty secret in HTTP Basic counts as none`() throws {
        let shop = AppClient.shop
        let (installation, code) = try signedIn(shop)
        var back = AppClient.back
        back.secret = nil
        let refused = try installation.token(back.tokenForm("x"), fields: unencoded(back.clientID, ""))
        #expect(refused.status == 401)
        #expect(try installation.token(shop.tokenForm(code), fields: unencoded(shop.clientID, "")).status == 200)
    }

    @Test func `HTTP Basic may have several spaces, and base64url without padding`() throws {
        let app = AppClient.back
        let secret = "r4w~s3cret???>>>~~~"
        let installation = try Installation { $0.apps[1].clientSecret = Secret(secret) }
        let pair = Array("\(app.clientID):\(secret)".utf8)
        for header in ["basic   " + Base64.encode(pair), "Basic " + Base64URL.encode(pair)] {
            var browser = Browser(installation)
            let code = try #require(try browser.signIn(app)["code"])
            let form = app.tokenForm(code).filter { $0.0 != "client_secret" }
            #expect(try installation.token(form, fields: [.authorization: header]).status == 200, "\(header)")
        }
    }

    @Test(arguments: ["r4w+s3cret/%41+x==", "r4w+s3cret/%zz+x==", "r4w+s3cret/xy==%"])
    func `a secret is accepted by HTTP Basic form-encoded and as it is`(secret: String) throws {
        let app = AppClient.back
        let installation = try Installation { $0.apps[1].clientSecret = Secret(secret) }
        for isEncoded in [true, false] {
            var browser = Browser(installation)
            let code = try #require(try browser.signIn(app)["code"])
            let form = app.tokenForm(code).filter { $0.0 != "client_secret" }
            func fields(_ secret: String) -> HTTPFields {
                isEncoded ? Installation.basic(app.clientID, secret) : unencoded(app.clientID, secret)
            }
            let wrong = [
                secret + "x", secret.replacing("+", with: " "), secret.replacing("+", with: "%2B"), "%", "%zz",
            ]
            for wrong in wrong where !(wrong.contains("%2B") && !isEncoded) {
                let response = try installation.token(form, fields: fields(wrong))
                #expect(response.status == 401, "\(wrong)")
                #expect(try response.json()["error"]?.text?.makeString() == "invalid_client")
            }
            #expect(try installation.token(form, fields: fields(secret)).status == 200)
        }
    }

    @Test(arguments: ["back%41+office", "back+office%"])
    func `a client id is accepted by HTTP Basic form-encoded and as it is, where it names an app`(
        clientID: String
    ) throws {
        var app = AppClient.back
        app.clientID = clientID
        let installation = try Installation { $0.apps[1].clientID = clientID }
        for fields in [
            Installation.basic(clientID, Installation.backSecret), unencoded(clientID, Installation.backSecret),
        ] {
            var browser = Browser(installation)
            let code = try #require(try browser.signIn(app)["code"])
            let form = app.tokenForm(code).filter { $0.0 != "client_secret" && $0.0 != "client_id" }
            #expect(try installation.token(form + [("client_id", "shop")], fields: fields).status == 400)
            let other = unencoded(clientID + "x", Installation.backSecret)
            #expect(try installation.token(form, fields: other).status == 401)
            #expect(try installation.token(form + [("client_id", clientID)], fields: fields).status == 200)
        }
    }

    @Test func `two Authorization fields are refused`() throws {
        let app = AppClient.back
        let (installation, code) = try signedIn(app)
        let one = Installation.basic(app.clientID, Installation.backSecret)
        var fields = one
        fields.append(contentsOf: one)
        let form = app.tokenForm(code).filter { $0.0 != "client_secret" }
        #expect(try installation.token(form, fields: fields).status == 401)
        #expect(try installation.token(form, fields: one).status == 200)
    }

    @Test(arguments: ["nobody", "", "SHOP"])
    func `an app that is not known is refused like one with a wrong secret`(clientID: String) throws {
        let (installation, code) = try signedIn(.shop)
        let form = AppClient.shop.tokenForm(code).map { $0.0 == "client_id" ? ($0.0, clientID) : $0 }
        let response = try installation.token(form)
        #expect(response.status == 401)
        #expect(try response.json()["error"]?.text?.makeString() == "invalid_client")
        let wrong = try installation.token(
            AppClient.back.tokenForm("x").map { $0.0 == "client_secret" ? ($0.0, "y") : $0 })
        #expect(wrong.text == response.text)
    }

    @Test func `a confidential app cannot redeem what a public one was given`() throws {
        let shop = AppClient.shop
        let (installation, code) = try signedIn(shop)
        let form = shop.tokenForm(code).map { $0.0 == "client_id" ? ($0.0, "back-office") : $0 }
        let response = try installation.token(form + [("client_secret", Installation.backSecret)])
        #expect(try response.json()["error"]?.text?.makeString() == "invalid_grant")
    }
}

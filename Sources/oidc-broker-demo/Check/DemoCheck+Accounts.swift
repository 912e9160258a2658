// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import OIDCBrokerTesting

extension DemoCheck {
    /// Walks through everything that the sample app does with an account: signs in, links, is refused what must be, and
    /// deletes the account in the end.
    func useAccounts(_ start: Walk) async throws {
        var walk = start
        let begin = ContinuousClock.now
        let uid = try await openAccount(&walk)
        try await linkApple(&walk, uid)
        walk.report("One account with both providers. Now another user:")
        try await refuseOthers(&walk, uid)
        walk.report("Refused. Now the browser, a web app, and what an account loses:")
        try await enterByBrowser(&walk, uid)
        try await useWebApp(&walk, uid)
        try await unlinkApple(&walk, uid)
        try await deleteAccount(&walk, uid)
        walk.report("Walked through an account in \(begin.duration(to: .now).milliseconds) ms.")
        walk.report("All of it held.")
    }

    /// - Returns: The uid.
    private func openAccount(_ walk: inout Walk) async throws -> String {
        try await walk.step("App: home page, account page, no user signed in") { browser, see in
            try see.page(try await browser.open(appURL + "/"), containing: "id=\"to-account\"")
            try see.page(try await browser.open(appURL + SampleAppAccounts.path), containing: "id=\"signed-out\"")
        }
        let uid = try await walk.step("Account: the first sign-in makes one, its token verified by the published keys")
        {
            browser, see in
            let page = try await act("sign-in-development", as: .ada, browser, see)
            try see.that(page.body.contains(">\(DemoUser.ada.account.email)</span> (verified)"), "no verified address")
            return try account(page, after: "new-account", [.development], see)
        }
        try await walk.step("Account: signed out, and in again: the same one, not new") { browser, see in
            try await switchPerson(to: "sign-in-development", as: .ada, browser, see, uid: uid)
        }
        try await walk.step("Account: a new ID token for the refresh token") { browser, see in
            let page = try await act("refresh", browser, see)
            try see.that(try account(page, after: "refreshed", [.development], see) == uid, "another uid")
        }
        try await walk.step("Account: signed in again without signing out") { browser, see in
            let page = try await act("again-development", as: .ada, browser, see)
            try see.that(try account(page, after: "signed-in-again", [.development], see) == uid, "another uid")
        }
        return uid
    }

    private func linkApple(_ walk: inout Walk, _ uid: String) async throws {
        let subject = try await walk.step("Account: the mock Apple linked") { browser, see in
            let page = try await act("link-apple", as: .ada, browser, see)
            try see.that(try account(page, after: "linked", DemoProvider.allCases, see) == uid, "another uid")
            return try see.text(of: "subject-apple.com", in: page)
        }
        try await walk.step("Account: signed in with the mock Apple: the same one") { browser, see in
            let page = try await switchPerson(
                to: "sign-in-apple", as: .ada, browser, see, uid: uid, DemoProvider.allCases)
            try see.that(try see.text(of: "subject-apple.com", in: page) == subject, "another subject")
        }
    }

    private func refuseOthers(_ walk: inout Walk, _ uid: String) async throws {
        try await walk.step("Account: another user has another one") { browser, see in
            _ = try await act("sign-out", browser, see)
            let page = try await act("sign-in-development", as: .grace, browser, see)
            try see.that(try account(page, after: "new-account", [.development], see) != uid, "the same uid")
        }
        try await walk.step("Account: linking who has another account is refused") { browser, see in
            let page = try await act("link-apple", as: .ada, browser, see)
            try see.error("FEDERATED_USER_ID_ALREADY_LINKED", in: page)
            try see.providers([.development], of: page)
        }
        try await walk.step("Account: signing in again as another user is refused") { browser, see in
            try see.error("user-mismatch", in: try await act("again-development", as: .ada, browser, see))
        }
        try await walk.step("Account: unlinking the last provider is refused") { browser, see in
            let page = try await act("unlink-development", browser, see)
            try see.error("OPERATION_NOT_ALLOWED", in: page)
            try see.providers([.development], of: page)
        }
    }

    /// Signs in by the browser, as the same user.
    private func enterByBrowser(_ walk: inout Walk, _ uid: String) async throws {
        let login = try await goToProvider(
            &walk, endpoint: "/authorize", choosing: DemoProvider.development.configuredName)
        let user = DemoUser.ada.account
        let consent = try await logIn(&walk, login, email: user.email, password: user.password)
        let toCallback = try await walk.step("Provider: allow") { browser, see in
            let response = try await browser.submit(consent.form, of: consent.page, [("decision", "allow")])
            return try see.redirect(response, to: brokerIssuer + "/handler?")
        }
        let toApp = try await walk.step("Broker: callback, code exchange, ID token, account, hand-off") {
            browser, see in
            try handedOff(try await browser.open(toCallback), see)
        }
        let toResult = try await comeHome(&walk, toApp)
        try await walk.step("App: result page, whose claim account is the uid") { browser, see in
            let result = try await browser.open(toResult)
            try expectAllPassed(result, see)
            let claim = "<th scope=\"row\">account</th><td>\(uid)</td>"
            try see.that(result.body.contains(claim), "the claim account is missing or another")
        }
    }

    private func unlinkApple(_ walk: inout Walk, _ uid: String) async throws {
        try await walk.step("Account: the mock Apple unlinked") { browser, see in
            try await switchPerson(
                to: "sign-in-development", as: .ada, browser, see, uid: uid, DemoProvider.allCases)
            let page = try await act("unlink-apple", browser, see)
            try see.that(try account(page, after: "unlinked", [.development], see) == uid, "another uid")
        }
        try await walk.step("Account: the last provider stays") { browser, see in
            try see.error("OPERATION_NOT_ALLOWED", in: try await act("unlink-development", browser, see))
        }
        try await walk.step("Account: the mock Apple linked again") { browser, see in
            let page = try await act("link-apple", as: .ada, browser, see)
            try see.that(try account(page, after: "linked", DemoProvider.allCases, see) == uid, "another uid")
        }
    }

    private func deleteAccount(_ walk: inout Walk, _ uid: String) async throws {
        try await walk.step("Account: another user's code revokes nothing, and nothing is deleted") { browser, see in
            let page = try await act("delete", as: .grace, browser, see)
            try see.error("INVALID_IDP_RESPONSE", in: page)
            try see.providers(DemoProvider.allCases, of: page)
        }
        try await walk.step("Account: Apple's grant revoked, then deleted; the refresh token is dead") { browser, see in
            let page = try await act("delete", as: .ada, browser, see)
            try see.page(page, containing: "id=\"deletion-checks\"")
            try see.page(page, containing: "id=\"signed-out\"")
            try see.passed(3, in: page)
        }
        try await walk.step("Account: the next sign-in makes a new one") { browser, see in
            let page = try await act("sign-in-development", as: .ada, browser, see)
            try see.that(try account(page, after: "new-account", [.development], see) != uid, "the same uid")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Every text of the pages in one language. There are no defaults: a language without a text does not compile.
package struct PageTexts: Sendable, Hashable {
    /// The direction of a script, as the `dir` attribute names it.
    package enum Direction: String, Sendable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"
    }

    /// The tag of the language (RFC 5646), for the `lang` attribute.
    package var tag: String
    /// The direction of its script.
    package var direction: Direction

    // MARK: The page on which the user chooses a provider

    /// The name is that of the app.
    let signInTo: PageText
    let chooseProvider: String
    /// The name is that of the provider. The providers' own guidelines prescribe it.
    let continueWith: PageText

    // MARK: The page before a credential is handed to an app on the device

    /// The name is that of the app.
    let continueToQuestion: PageText
    /// The name is that of the account.
    let signedInAs: PageText
    let continueOnlyIfStarted: String
    /// The name is that of the app.
    let continueTo: PageText
    let cancel: String
    /// The name is the destination.
    let responseGoesTo: PageText
    let mayCloseAfterwards: String

    // MARK: The pages that the user agent sends on

    let oneMoreStep: String
    let needsConfirmation: String
    let `continue`: String
    let scriptNeeded: String
    let beingSignedIn: String
    let noSignInInLink: String

    let mayBeClosed: String

    // MARK: Signing out

    /// The name is that of the app.
    let signOutOfQuestion: PageText
    let signOutQuestion: String
    let signOutNote: String
    let signOut: String
    let signedOut: PageMessage
    /// The link to sign out is not one of an app.
    package let brokenSignOut: PageMessage

    // MARK: Links

    /// The name is a short code that also stands in the log of the server.
    let reference: PageText
    /// The name is an English sentence for the developers of the app.
    let forDevelopers: PageText
    let startAgain: String
    /// The name is that of a host.
    let backTo: PageText
    let imprint: String
    let privacy: String

    // MARK: The root of a standalone server

    /// What the server is, for a user who opens it without a sign-in.
    let aboutServer: PageMessage

    // MARK: What went wrong

    /// The sign-in was completed before.
    package let alreadyFinished: PageMessage
    /// The sign-in took too long.
    package let expired: PageMessage
    /// The sign-in began in another browser.
    package let otherBrowser: PageMessage
    /// The configuration of the provider changed meanwhile.
    package let changed: PageMessage
    /// The link is not complete.
    package let brokenLink: PageMessage
    /// The page was not opened by a user.
    package let notLoadable: PageMessage
    /// There is no such page.
    package let notFound: PageMessage
    /// The way of signing in is not supported here.
    package let notSupported: PageMessage
    /// The provider or the server is not available.
    package let unavailable: PageMessage
    /// The app failed to respond.
    package let siteFailed: PageMessage
    /// The server failed.
    package let failed: PageMessage
    /// There were too many attempts from one address.
    package let tooManyAttempts: PageMessage
    /// The user, or the provider, cancelled.
    package let cancelled: PageMessage
    /// The claims of the user are not those that the app requires.
    package let noAccess: PageMessage
    /// The response of the provider could not be verified.
    package let unverified: PageMessage
    /// The request of the app cannot be responded to.
    package let cannotBegin: PageMessage
    /// The form was sent from another site.
    package let formFromElsewhere: PageMessage
    /// The sign-in has to begin again.
    package let startOver: PageMessage
}

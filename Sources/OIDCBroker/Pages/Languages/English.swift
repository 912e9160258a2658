// SPDX-License-Identifier: Apache-2.0

extension PageTexts {
    /// English.
    package static let english = PageTexts(
        tag: "en",
        direction: .leftToRight,
        signInTo: "Sign in to \(.name)",
        chooseProvider: "Choose how you would like to sign in.",
        continueWith: "Continue with \(.name)",
        continueToQuestion: "Continue to \(.name)?",
        signedInAs: "You are signed in as \(.name).",
        continueOnlyIfStarted:
            "You are about to sign in to an app on this device. Continue only if you have just started this yourself, in that app.",
        continueTo: "Continue to \(.name)",
        cancel: "Cancel",
        responseGoesTo: "The response goes to \(.name).",
        mayCloseAfterwards: "After that you may close this page.",
        oneMoreStep: "One more step",
        needsConfirmation: "Your browser needs your confirmation to finish signing in.",
        continue: "Continue",
        scriptNeeded:
            "This page needs one small script to finish signing in, and your browser does not run it. Allow scripts for this page and load it again, or go back to the app and start again.",
        beingSignedIn: "You are being signed in.",
        noSignInInLink: "There is no sign-in in this link. Go back to the app and start again.",
        signOutOfQuestion: "Sign out of \(.name)?",
        signOutQuestion: "Sign out?",
        signOutNote:
            "This also signs you out at the service with which you signed in, if it supports that. If you did not want to sign out, close this page.",
        signOut: "Sign out",
        signedOut: PageMessage("You are signed out", "You may close this page."),
        brokenSignOut: PageMessage(
            "This sign-out does not work",
            "Its link is not complete, or has expired. Go back to the app and sign out there."),
        reference: "Reference: \(.name)",
        startAgain: "Start again",
        backTo: "Back to \(.name)",
        imprint: "Legal notice",
        privacy: "Privacy",
        alreadySignedIn: PageMessage(
            "You have already signed in",
            "This sign-in is finished. If the app does not show you as signed in, start again from there."),
        expired: PageMessage(
            "This sign-in took too long", "Nothing is lost. Go back to the app and start again."),
        otherBrowser: PageMessage(
            "This sign-in was not begun here",
            "It was begun in another browser or window, or this browser does not keep cookies. Go back to the app and start again."
        ),
        changed: PageMessage(
            "Please start again",
            "The settings for signing in were changed in the meantime. Go back to the app and start again."),
        brokenLink: PageMessage(
            "This link does not work",
            "It is not complete, or is not a sign-in of this server. Go back to the app and start again."),
        notLoadable: PageMessage(
            "This page cannot be loaded like this", "Go back to the app and start again."),
        notFound: PageMessage("This page does not exist", "Go back to the app and start again."),
        notSupported: PageMessage(
            "Not supported yet",
            "The app speaks to this server in a way that it does not understand yet. Please tell the people who make the app."
        ),
        unavailable: PageMessage(
            "Signing in is not possible right now",
            "The service that signs you in does not answer. Please try again in a moment."),
        siteFailed: PageMessage(
            "Signing in did not work", "This site could not complete your sign-in. Please try again."),
        failed: PageMessage("Signing in did not work", "Please try again."),
        tooManyAttempts: PageMessage(
            "Please wait a moment",
            "Too many sign-ins were tried from your network. Nothing is lost: load this page again in a minute."),
        cancelled: PageMessage("You did not sign in", "Go back to the app if you want to try again."),
        unverified: PageMessage(
            "Signing in did not work",
            "The response could not be verified. Go back to the app and start again."),
        cannotBegin: PageMessage(
            "This sign-in cannot begin",
            "The app's link to this page is not right. Go back to the app and start again."),
        formFromElsewhere: PageMessage("This form cannot be sent from there", "Start again from the app."),
        startOver: PageMessage("Please start again", "Go back to the app and start again."))
}

// SPDX-License-Identifier: Apache-2.0

extension PageTexts {
    /// French.
    static let french = PageTexts(
        tag: "fr",
        direction: .leftToRight,
        signInTo: "Se connecter à \(.name)",
        chooseProvider: "Choisissez comment vous souhaitez vous connecter.",
        continueWith: "Continuer avec \(.name)",
        continueToQuestion: "Continuer vers \(.name) ?",
        signedInAs: "Vous êtes connecté en tant que \(.name).",
        continueOnlyIfStarted:
            "Vous êtes sur le point de vous connecter à une application sur cet appareil. Continuez uniquement si vous venez de lancer vous-même cette connexion dans l’application.",
        continueTo: "Continuer vers \(.name)",
        cancel: "Annuler",
        responseGoesTo: "La réponse est envoyée à \(.name).",
        mayCloseAfterwards: "Vous pourrez ensuite fermer cette page.",
        oneMoreStep: "Encore une étape",
        needsConfirmation: "Votre navigateur a besoin de votre confirmation pour terminer la connexion.",
        continue: "Continuer",
        scriptNeeded:
            "Cette page a besoin d’un petit script pour terminer la connexion, et votre navigateur ne l’exécute pas. Autorisez les scripts pour cette page et rechargez-la, ou retournez dans l’application et recommencez.",
        beingSignedIn: "Connexion en cours.",
        noSignInInLink: "Ce lien ne contient aucune connexion. Retournez dans l’application et recommencez.",
        signOutOfQuestion: "Se déconnecter de \(.name) ?",
        signOutQuestion: "Se déconnecter ?",
        signOutNote:
            "Vous serez aussi déconnecté du service avec lequel vous vous êtes connecté, s’il le permet. Si vous ne vouliez pas vous déconnecter, fermez cette page.",
        signOut: "Se déconnecter",
        signedOut: PageMessage("Vous êtes déconnecté", "Vous pouvez fermer cette page."),
        brokenSignOut: PageMessage(
            "Cette déconnexion ne fonctionne pas",
            "Le lien est incomplet ou a expiré. Retournez dans l’application et déconnectez-vous depuis celle-ci."),
        reference: "Référence : \(.name)",
        startAgain: "Recommencer",
        backTo: "Retour à \(.name)",
        imprint: "Mentions légales",
        privacy: "Confidentialité",
        alreadySignedIn: PageMessage(
            "Vous êtes déjà connecté",
            "Cette connexion est terminée. Si l’application ne vous affiche pas comme connecté, recommencez depuis celle-ci."
        ),
        expired: PageMessage(
            "Cette connexion a pris trop de temps",
            "Rien n’est perdu. Retournez dans l’application et recommencez."),
        otherBrowser: PageMessage(
            "Cette connexion n’a pas commencé ici",
            "Elle a commencé dans un autre navigateur ou une autre fenêtre, ou ce navigateur ne conserve pas les cookies. Retournez dans l’application et recommencez."
        ),
        changed: PageMessage(
            "Veuillez recommencer",
            "Les paramètres de connexion ont été modifiés entre-temps. Retournez dans l’application et recommencez."),
        brokenLink: PageMessage(
            "Ce lien ne fonctionne pas",
            "Il est incomplet ou ne correspond à aucune connexion de ce serveur. Retournez dans l’application et recommencez."
        ),
        notLoadable: PageMessage(
            "Cette page ne peut pas être chargée ainsi", "Retournez dans l’application et recommencez."),
        notFound: PageMessage("Cette page n’existe pas", "Retournez dans l’application et recommencez."),
        notSupported: PageMessage(
            "Pas encore pris en charge",
            "L’application s’adresse à ce serveur d’une manière qu’il ne comprend pas encore. Veuillez en informer l’éditeur de l’application."
        ),
        unavailable: PageMessage(
            "La connexion est impossible pour le moment",
            "Le service qui vous connecte ne répond pas. Veuillez réessayer dans un instant."),
        siteFailed: PageMessage(
            "La connexion a échoué", "Ce site n’a pas pu terminer votre connexion. Veuillez réessayer."),
        failed: PageMessage("La connexion a échoué", "Veuillez réessayer."),
        tooManyAttempts: PageMessage(
            "Veuillez patienter un instant",
            "Trop de connexions ont été tentées depuis votre réseau. Rien n’est perdu : rechargez cette page dans une minute."
        ),
        cancelled: PageMessage(
            "Vous ne vous êtes pas connecté", "Retournez dans l’application si vous souhaitez réessayer."),
        unverified: PageMessage(
            "La connexion a échoué",
            "La réponse n’a pas pu être vérifiée. Retournez dans l’application et recommencez."),
        cannotBegin: PageMessage(
            "Cette connexion ne peut pas commencer",
            "Le lien de l’application vers cette page est incorrect. Retournez dans l’application et recommencez."),
        formFromElsewhere: PageMessage(
            "Ce formulaire ne peut pas être envoyé de là", "Recommencez depuis l’application."),
        startOver: PageMessage("Veuillez recommencer", "Retournez dans l’application et recommencez."))
}

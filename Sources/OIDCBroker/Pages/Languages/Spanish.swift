// SPDX-License-Identifier: Apache-2.0

extension PageTexts {
    /// Spanish.
    static let spanish = PageTexts(
        tag: "es",
        direction: .leftToRight,
        signInTo: "Iniciar sesión en \(.name)",
        chooseProvider: "Elija cómo desea iniciar sesión.",
        continueWith: "Continuar con \(.name)",
        continueToQuestion: "¿Continuar a \(.name)?",
        signedInAs: "Ha iniciado sesión como \(.name).",
        continueOnlyIfStarted:
            "Está a punto de iniciar sesión en una aplicación de este dispositivo. Continúe solo si acaba de empezar usted mismo desde esa aplicación.",
        continueTo: "Continuar a \(.name)",
        cancel: "Cancelar",
        responseGoesTo: "La respuesta se envía a \(.name).",
        mayCloseAfterwards: "Después puede cerrar esta página.",
        oneMoreStep: "Un paso más",
        needsConfirmation: "Su navegador necesita su confirmación para terminar de iniciar sesión.",
        continue: "Continuar",
        scriptNeeded:
            "Esta página necesita un pequeño script para terminar de iniciar sesión y su navegador no lo ejecuta. Permita los scripts en esta página y vuelva a cargarla, o regrese a la aplicación y empiece de nuevo.",
        beingSignedIn: "Iniciando sesión.",
        noSignInInLink:
            "Este enlace no contiene ningún inicio de sesión. Regrese a la aplicación y empiece de nuevo.",
        signOutOfQuestion: "¿Cerrar sesión en \(.name)?",
        signOutQuestion: "¿Cerrar sesión?",
        signOutNote:
            "También se cerrará la sesión en el servicio con el que inició sesión, si este lo permite. Si no quería cerrar sesión, cierre esta página.",
        signOut: "Cerrar sesión",
        signedOut: PageMessage("Ha cerrado sesión", "Puede cerrar esta página."),
        brokenSignOut: PageMessage(
            "Este cierre de sesión no funciona",
            "El enlace está incompleto o ha caducado. Regrese a la aplicación y cierre sesión allí."),
        reference: "Referencia: \(.name)",
        startAgain: "Empezar de nuevo",
        backTo: "Volver a \(.name)",
        imprint: "Aviso legal",
        privacy: "Privacidad",
        alreadySignedIn: PageMessage(
            "Ya ha iniciado sesión",
            "Este inicio de sesión ha terminado. Si la aplicación no muestra su sesión iniciada, empiece de nuevo desde ella."
        ),
        expired: PageMessage(
            "Este inicio de sesión ha tardado demasiado",
            "No se ha perdido nada. Regrese a la aplicación y empiece de nuevo."),
        otherBrowser: PageMessage(
            "Este inicio de sesión no empezó aquí",
            "Empezó en otro navegador u otra ventana, o este navegador no guarda cookies. Regrese a la aplicación y empiece de nuevo."
        ),
        changed: PageMessage(
            "Empiece de nuevo",
            "Entretanto ha cambiado la configuración del inicio de sesión. Regrese a la aplicación y empiece de nuevo."),
        brokenLink: PageMessage(
            "Este enlace no funciona",
            "Está incompleto o no es un inicio de sesión de este servidor. Regrese a la aplicación y empiece de nuevo."),
        notLoadable: PageMessage(
            "Esta página no se puede cargar así", "Regrese a la aplicación y empiece de nuevo."),
        notFound: PageMessage("Esta página no existe", "Regrese a la aplicación y empiece de nuevo."),
        notSupported: PageMessage(
            "Todavía no es compatible",
            "La aplicación se comunica con este servidor de una forma que todavía no entiende. Informe a quienes desarrollan la aplicación."
        ),
        unavailable: PageMessage(
            "Ahora no es posible iniciar sesión",
            "El servicio con el que inicia sesión no responde. Inténtelo de nuevo en un momento."),
        siteFailed: PageMessage(
            "No se pudo iniciar sesión",
            "Este sitio no pudo completar su inicio de sesión. Inténtelo de nuevo."),
        failed: PageMessage("No se pudo iniciar sesión", "Inténtelo de nuevo."),
        tooManyAttempts: PageMessage(
            "Espere un momento",
            "Se han intentado demasiados inicios de sesión desde su red. No se ha perdido nada: vuelva a cargar esta página dentro de un minuto."
        ),
        cancelled: PageMessage(
            "No ha iniciado sesión", "Regrese a la aplicación si quiere volver a intentarlo."),
        unverified: PageMessage(
            "No se pudo iniciar sesión",
            "No se pudo verificar la respuesta. Regrese a la aplicación y empiece de nuevo."),
        cannotBegin: PageMessage(
            "Este inicio de sesión no puede empezar",
            "El enlace de la aplicación a esta página no es correcto. Regrese a la aplicación y empiece de nuevo."),
        formFromElsewhere: PageMessage(
            "Este formulario no se puede enviar desde allí", "Empiece de nuevo desde la aplicación."),
        startOver: PageMessage("Empiece de nuevo", "Regrese a la aplicación y empiece de nuevo."))
}

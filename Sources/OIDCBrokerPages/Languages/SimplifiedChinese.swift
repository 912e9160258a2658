// SPDX-License-Identifier: Apache-2.0

extension PageTexts {
    /// Chinese in simplified characters.
    static let simplifiedChinese = PageTexts(
        tag: "zh-Hans",
        direction: .leftToRight,
        signInTo: "登录 \(.name)",
        chooseProvider: "请选择登录方式。",
        continueWith: "通过 \(.name) 继续",
        continueToQuestion: "要继续前往 \(.name) 吗？",
        signedInAs: "您将以 \(.name) 的身份登录。",
        continueOnlyIfStarted: "您即将登录此设备上的一个应用。如果不是您本人刚刚在该应用中发起的登录，请勿继续。",
        continueTo: "继续前往 \(.name)",
        cancel: "取消",
        responseGoesTo: "随后将打开 \(.name)。",
        mayCloseAfterwards: "之后您可以关闭此页面。",
        oneMoreStep: "还差一步",
        needsConfirmation: "您的浏览器需要您确认才能继续。请点击“继续”。",
        continue: "继续",
        scriptNeeded: "此页面需要运行一小段脚本（JavaScript），但您的浏览器没有运行它。请允许此页面运行脚本，然后重新加载。",
        beingSignedIn: "请稍候，此页面会自动继续。",
        noSignInInLink: "此页面打开时没有正在进行的登录。请返回应用或网站重新开始。",
        mayBeClosed: "您可以关闭此窗口，返回您开始登录的应用或网站。",
        signOutOfQuestion: "要从 \(.name) 退出登录吗？",
        signOutQuestion: "要退出登录吗？",
        signOutNote: "您可能也会从登录时所用的服务中退出登录。如果您不想退出登录，请关闭此页面。",
        signOut: "退出登录",
        signedOut: PageMessage(
            "退出登录已完成",
            "您可能仍处于所用登录服务的登录状态。如果是共用设备，请在该服务中也退出登录。"
        ),
        brokenSignOut: PageMessage("无法退出登录", "链接不完整或已过期，因此您可能仍处于登录状态。请返回应用或网站，在那里退出登录。"),
        reference: "寻求帮助时，请提供此代码：\(.name)",
        forDevelopers: "供应用或网站的开发者参考：\(.name)",
        startAgain: "重新开始",
        backTo: "返回 \(.name)",
        imprint: "法律声明",
        privacy: "隐私政策",
        aboutServer: PageMessage(
            "这是一台登录服务器",
            "应用和网站使用它来让您登录。您无需在此页面上进行任何操作：请打开您要使用的应用或网站，并在那里登录。"
        ),
        alreadyFinished: PageMessage(
            "此次登录已经结束或已中断",
            "该登录无法再次使用。请返回应用或网站，您可能已经在那里登录。如果未显示您已登录，请重新开始。"
        ),
        expired: PageMessage("登录用时过长", "为了您的安全，登录需要在几分钟内完成。请返回应用或网站重新开始。"),
        otherBrowser: PageMessage("此次登录不是在这里开始的", "登录是在其他浏览器或无痕窗口中开始的，或者此浏览器阻止了 Cookie。请返回应用或网站重新开始。"),
        changed: PageMessage("请重新开始", "登录设置在此期间已更改。请返回应用或网站重新开始。"),
        brokenLink: PageMessage("此链接无效", "链接不完整、已过时，或不属于此网站。请返回应用或网站重新开始。"),
        notLoadable: PageMessage("无法以这种方式加载此页面", "此页面只能在登录或退出登录的过程中打开。请返回应用或网站重新开始。"),
        notFound: PageMessage("此页面不存在", "网址可能有误或已过时。请返回应用或网站重新开始。"),
        notSupported: PageMessage("尚不支持", "该应用或网站使用的登录方式在这里尚不可用，因此您没有登录。请联系其客服支持。"),
        unavailable: PageMessage("目前无法登录", "登录所需的服务繁忙或没有响应。请等待几分钟，然后返回应用或网站重试。"),
        siteFailed: PageMessage("登录失败", "此网站未能完成您的登录。请再试一次。如果仍然失败，请联系网站的客服支持。"),
        failed: PageMessage("登录失败", "无法开始您的登录。请再试一次。如果仍然失败，请联系网站的客服支持。"),
        tooManyAttempts: PageMessage("请稍候", "来自您所在网络的登录尝试过多。请等待一分钟，然后重新加载此页面。"),
        cancelled: PageMessage("您没有登录", "登录已取消或被拒绝。如果想再试一次，请返回应用或网站。"),
        noAccess: PageMessage(
            "您没有访问权限",
            "您的账号不能用于此应用或网站。请向其管理者申请访问权限，或使用其他账号重新开始。"
        ),
        unverified: PageMessage("登录失败", "此次登录无法通过验证，为了您的安全已中止。请返回应用或网站重新开始。"),
        cannotBegin: PageMessage("无法开始登录", "您打开此页面所用的链接不完整或无效。请返回应用或网站再试一次。如果仍然失败，请联系其客服支持。"),
        formFromElsewhere: PageMessage("您的选择未被接受", "该选择并非来自选择登录方式的页面。请返回应用或网站重新开始。"),
        startOver: PageMessage("请重新开始", "页面打开时间过长或已被使用过，或者此浏览器阻止了 Cookie。请返回应用或网站重新开始。"))
}

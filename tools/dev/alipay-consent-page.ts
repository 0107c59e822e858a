const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** The consent page of the provider; without a consent, a message that the request is invalid. */
export function consentPage(request: { nickName: string; back: string } | undefined): string {
  const content =
    request === undefined
      ? '<p>授权请求不正确：应用或回跳地址有误。</p>'
      : `<p>「物联网控制中心」申请获取您的基本信息（昵称、头像）。</p><p>当前账号：<b>${escaped(request.nickName)}</b></p>
<a href="${escaped(request.back)}" role="button">同意授权</a>`
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>支付宝沙箱</title>
<style>body{font:16px/1.7 system-ui,"Noto Sans CJK SC",sans-serif;margin:48px auto;max-width:420px;padding:0 16px}a{display:block;margin-top:24px;padding:10px;border-radius:8px;background:#1677ff;color:#fff;text-align:center;text-decoration:none}</style>
<h1>支付宝沙箱</h1><p>开发环境，不会访问真实的支付宝。</p>${content}</html>`
}

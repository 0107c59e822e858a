export type Message = { at: string; phone: string; signName: string; template: string; params: Record<string, string> }

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** The page a developer reads codes from. */
export function inboxPage(messages: readonly Message[], extras: readonly { label: string; value: string }[]): string {
  const rows = messages.map(
    ({ at, phone, template, params }) =>
      `<tr><td>${escaped(at.slice(11, 19))}</td><td>${escaped(phone)}</td><td>${escaped(template)}</td><td><b>${escaped(params['code'] ?? JSON.stringify(params))}</b></td></tr>`,
  )
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>短信收件箱</title>
<style>body{font:14px/1.6 system-ui,"Noto Sans CJK SC",sans-serif;margin:32px auto;max-width:760px;padding:0 16px}table{width:100%;border-collapse:collapse}td,th{padding:8px;border-bottom:1px solid #ddd;text-align:left}b{font-size:20px;letter-spacing:2px}</style>
<h1>短信收件箱</h1><p>开发环境发出的短信都在这里，页面每 3 秒刷新。</p>
${extras.map(({ label, value }) => `<p>${escaped(label)}：<b>${escaped(value)}</b></p>`).join('')}
<table><thead><tr><th>时间 (UTC)</th><th>手机号</th><th>模板</th><th>内容</th></tr></thead><tbody>${rows.join('') || '<tr><td colspan="4">暂无短信</td></tr>'}</tbody></table></html>`
}

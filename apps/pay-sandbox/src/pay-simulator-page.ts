import type { Trade } from './pay-simulator.ts'

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
const maxRows = 50

function row(trade: Trade): string {
  const cells = [trade.provider, trade.merchantNo, trade.payNo, trade.title, (trade.fen / 100).toFixed(2), trade.state]
  const pay =
    trade.state === 'NOTPAY' && trade.way === 'code'
      ? `<form method="post" action="/sandbox/pay"><input type="hidden" name="codeUrl" value="${escaped(trade.handle)}"><button>支付</button></form>`
      : ''
  return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}<td>${pay}</td></tr>`
}

/** Page on which a developer pays a code without a phone. */
export const simulatorPage = (
  trades: readonly Trade[],
) => `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>支付沙箱</title>
<style>body{font:14px/1.6 system-ui,"Noto Sans CJK SC",sans-serif;margin:32px auto;max-width:1080px;padding:0 16px}table{width:100%;border-collapse:collapse}td,th{padding:8px;border-bottom:1px solid #ddd;text-align:left}</style>
<h1>支付沙箱</h1><p>开发环境的支付订单，点击“支付”即视为用户已扫码付款。</p>
<table><thead><tr><th>渠道</th><th>商户号</th><th>商户订单号</th><th>商品</th><th>金额（元）</th><th>状态</th><th></th></tr></thead><tbody>${trades.slice(-maxRows).toReversed().map(row).join('') || '<tr><td colspan="7">暂无订单</td></tr>'}</tbody></table></html>`

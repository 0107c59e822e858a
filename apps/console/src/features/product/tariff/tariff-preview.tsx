import type { TariffSheet } from '@wattdeck/contract/product/tariff-sheet.ts'
import { rulesOf } from '@wattdeck/contract/product/tariff-sheet.ts'
import { displayText } from '@wattdeck/domain/tariff/display.ts'
import { estimate } from '@wattdeck/domain/tariff/estimate.ts'
import { meetsPriceLaw } from '@wattdeck/domain/tariff/law.ts'
import { protocolLimits } from '@wattdeck/domain/tariff/protocol-limits.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { Tag } from '../../../kit/display/StatusTag.tsx'
import type { Problems } from './tariff-rows.tsx'
import './tariff.css'

const examples = [
  { text: '200 W 充 3 小时', powerW: 200, minutes: 180 },
  { text: '350 W 充 8 小时', powerW: 350, minutes: 480 },
  { text: '7 kW 充 2 小时', powerW: 7000, minutes: 120 },
]
/** A fixed start for all previews: 20:00 in Asia/Shanghai. */
const eveningMs = Date.UTC(2026, 0, 1, 12)

const protocols = [
  { name: 'ykc', label: '云快充汽车桩' },
  { name: 'dny', label: 'DNY 两轮桩' },
] as const

/** The rules as a member reads them, an example bill, and their problems. */
export function TariffPreview({ sheet, problems }: { sheet: TariffSheet; problems: Problems }) {
  if (problems.size > 0)
    return (
      <aside className="tariff-preview" aria-label="预览">
        <section aria-live="polite">
          <h3>还需完善</h3>
          <ul className="tariff-problems">
            {[...new Set(problems.values())].slice(0, 8).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      </aside>
    )
  return <Meaning rules={rulesOf(sheet)} />
}

export function Meaning({ rules }: { rules: TariffRules }) {
  return (
    <aside className="tariff-preview" aria-label="预览">
      <section>
        <h3>价格公示</h3>
        <pre className="tariff-text">{displayText(rules)}</pre>
      </section>
      <section>
        <h3>费用示例</h3>
        <p className="meta">20:00 开始充电</p>
        <ul className="tariff-facts">
          {examples.map(({ text, powerW, minutes }) => {
            const billedMinutes = Math.min(minutes, rules.maxMinutes)
            const bill = estimate(rules, { startMs: eveningMs, minutes: billedMinutes, powerW })
            return (
              <li key={text}>
                <span>{text}</span>
                <span>
                  <strong>{yuanText(bill.totalFen)} 元</strong>
                  <br />
                  <span className="meta">
                    电费 {yuanText(bill.electricityFen)}，服务费 {yuanText(bill.serviceFen)}
                  </span>
                </span>
              </li>
            )
          })}
        </ul>
      </section>
      <section>
        <h3>检查</h3>
        <ul className="tariff-facts">
          <li>
            <span>电费与服务费分开标示</span>
            {meetsPriceLaw(rules).holds ? <Tag tone="ok">符合</Tag> : <Tag tone="bad">不符合</Tag>}
          </li>
          {protocols.map(({ name, label }) => {
            const [limit] = protocolLimits(rules, name)
            return (
              <li key={name}>
                <span>
                  {label}
                  {limit && (
                    <>
                      <br />
                      <span className="meta">{limit.text}</span>
                    </>
                  )}
                </span>
                <Tag tone={limit ? 'warn' : 'ok'}>{limit ? '不可用' : '可用'}</Tag>
              </li>
            )
          })}
        </ul>
      </section>
    </aside>
  )
}

import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { planMost } from '@wattdeck/domain/recharge-plan.ts'
import { Button, Input } from 'antd'
import './recharge-threshold.css'

type Tier = { pay: string; gift: string }
type AmountProps = {
  id?: string | undefined
  label: string
  lead: string
  value: string
  onChange: (value: string) => void
}

/** Amounts stay text: the input never becomes a floating-point number. */
const Amount = ({ id, label, lead, value, onChange }: AmountProps) => (
  <Input
    {...(id === undefined ? {} : { id })}
    aria-label={label}
    prefix={lead}
    suffix="元"
    placeholder="0.00"
    inputMode="decimal"
    autoComplete="off"
    value={value}
    onChange={(event) => onChange(event.target.value.trim())}
  />
)

type Props = { id?: string; value?: readonly Tier[]; onChange?: (tiers: Tier[]) => void }

const none: readonly Tier[] = []
/** The tiers of a plan, one row each: 充 100 送 10. */
export const TierInputs = ({ id, value: tiers = none, onChange }: Props) => (
  <div className="recharge-tiers">
    <ul>
      {tiers.map((tier, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- tiers have no other name than their place
        <li key={at}>
          <Amount
            id={at === 0 ? id : undefined}
            label={`档位${at + 1}充值金额`}
            lead="充"
            value={tier.pay}
            onChange={(pay) => onChange?.(tiers.with(at, { ...tier, pay }))}
          />
          <Amount
            label={`档位${at + 1}赠送金额`}
            lead="送"
            value={tier.gift}
            onChange={(gift) => onChange?.(tiers.with(at, { ...tier, gift }))}
          />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={`删除档位${at + 1}`}
            title={`删除档位${at + 1}`}
            disabled={tiers.length === 1}
            onClick={() => onChange?.(tiers.toSpliced(at, 1))}
          />
        </li>
      ))}
    </ul>
    <Button
      icon={<PlusOutlined />}
      disabled={tiers.length >= planMost.tiers}
      onClick={() => onChange?.([...tiers, { pay: '', gift: '0' }])}
    >
      添加档位
    </Button>
  </div>
)

import { attributeSetting, type DeviceAttribute, deliveryStatus } from '@wattdeck/contract/product/attribute-setting.ts'
import { attributeAccess, attributeType } from '@wattdeck/contract/product/platform-attribute.ts'
import { valueProblem } from '@wattdeck/domain/attribute-value.ts'
import { Input, Select } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import { mayCall } from '../../../kit/api/rights.ts'
import { useUser } from '../../../kit/api/user.ts'
import { choicesOf, quantityText, rangeText, valueText } from '../_shared/attribute-text.ts'
import '../_shared/product.css'

type Edited = Readonly<Record<string, string>>
type Props = {
  name: string
  attributes: readonly DeviceAttribute[]
  edited: Edited
  onEdited: (values: Edited) => void
}

/** The attributes of one group: reported and desired values. */
export function AttributeGroup({ name, attributes, edited, onEdited }: Props) {
  const mayWrite = mayCall(useUser(), attributeSetting.write.access)
  const setValue = (identifier: string, value: string | undefined) => {
    const { [identifier]: _before, ...rest } = edited
    onEdited(value === undefined ? rest : { ...rest, [identifier]: value })
  }
  return (
    <section className="panel device-section" aria-label={name}>
      <h2>{name}</h2>
      <div className="attribute-row attribute-head" aria-hidden>
        <span>属性</span>
        <span>当前值</span>
        <span>目标值</span>
        <span>最近下发</span>
      </div>
      <ul className="attribute-rows">
        {attributes.map((attribute) => (
          <li key={attribute.identifier} className="attribute-row">
            <Name attribute={attribute} />
            <Reported attribute={attribute} />
            <div className="attribute-target">
              {mayWrite && writable(attribute) ? (
                <Target
                  attribute={attribute}
                  value={edited[attribute.identifier]}
                  onChange={(value) => setValue(attribute.identifier, value)}
                />
              ) : (
                <span className="meta">{whyNot(attribute)}</span>
              )}
            </div>
            <Delivery attribute={attribute} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const writable = ({ supported, access, dataType }: DeviceAttribute) =>
  supported && access !== attributeAccess.code.read && dataType !== attributeType.code.text
const whyNot = ({ supported, access }: DeviceAttribute) =>
  !supported ? '设备协议不支持' : access === attributeAccess.code.read ? '只读' : '无下发权限'

function Name({ attribute }: { attribute: DeviceAttribute }) {
  const { dataType, unit } = attribute
  const facts = [attributeType.show(dataType).label, rangeText(attribute), unit].filter(Boolean).join(' · ')
  return (
    <div className="template-name">
      <strong>{attribute.name}</strong> <span className="meta">{attribute.identifier}</span>
      <div className="meta">{facts}</div>
    </div>
  )
}

function Reported({ attribute }: { attribute: DeviceAttribute }) {
  const { reported, reportedAt, unit } = attribute
  return (
    <div>
      <div>
        {reported === null ? <span className="meta">未读取</span> : quantityText(valueText(attribute, reported), unit)}
      </div>
      {reportedAt !== null && <div className="meta">{reportedAt.slice(5, 16)} 读取</div>}
    </div>
  )
}

type TargetProps = { attribute: DeviceAttribute; value: string | undefined; onChange: (value?: string) => void }
function Target({ attribute, value, onChange }: TargetProps) {
  const choices = choicesOf(attribute)
  const label = `${attribute.name}的目标值`
  if (choices)
    return (
      <Select
        aria-label={label}
        placeholder="不修改"
        allowClear
        {...(value === undefined ? {} : { value })}
        options={choices}
        onChange={(next?: string) => onChange(next)}
      />
    )
  const problem = value === undefined ? undefined : valueProblem(attribute, value)
  return (
    <>
      <Input
        aria-label={label}
        placeholder="不修改"
        maxLength={20}
        value={value ?? ''}
        {...(attribute.unit === null ? {} : { suffix: attribute.unit })}
        {...(problem === undefined ? {} : { status: 'error' as const })}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
      />
      {problem !== undefined && (
        <div className="template-problem" role="alert">
          {problem}
        </div>
      )}
    </>
  )
}

function Delivery({ attribute }: { attribute: DeviceAttribute }) {
  const { deliveryStatus: status, desired, desiredAt, desiredBy, reason } = attribute
  if (status === null || desired === null) return <div />
  return (
    <div>
      {cells.status(deliveryStatus, status)} {valueText(attribute, desired)}
      <div className="meta">{[desiredAt?.slice(5, 16), desiredBy, reason].filter(Boolean).join(' · ')}</div>
    </div>
  )
}

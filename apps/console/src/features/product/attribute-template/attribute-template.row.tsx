import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined } from '@ant-design/icons'
import type { TemplateItem } from '@wattdeck/contract/product/attribute-template.ts'
import { attributeType } from '@wattdeck/contract/product/platform-attribute.ts'
import { valueProblem } from '@wattdeck/domain/attribute-value.ts'
import { Button, Input, Select } from 'antd'
import { choicesOf, rangeText, valueText } from '../_shared/attribute-text.ts'

type Props = {
  item: TemplateItem
  place: number
  last: boolean
  readOnly: boolean
  onChange: (defaultValue: string | null) => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

/** One attribute of a template: its definition, its default and its position. */
export function TemplateRow({ item, place, last, readOnly, onChange, onMove, onRemove }: Props) {
  const facts = [attributeType.show(item.dataType).label, rangeText(item), item.unit].filter(Boolean).join(' · ')
  return (
    <li className="template-item">
      <span className="template-place">{place + 1}</span>
      <div className="template-name">
        <strong>{item.name}</strong> <span className="meta">{item.identifier}</span>
        <div className="meta">
          {item.groupName} · {facts}
        </div>
      </div>
      <div className="template-value">
        {readOnly ? (
          valueText(item, item.defaultValue ?? item.ownDefault) || '–'
        ) : (
          <DefaultValue item={item} onChange={onChange} />
        )}
      </div>
      {!readOnly && (
        <div className="template-buttons">
          <Button
            type="text"
            icon={<ArrowUpOutlined />}
            aria-label={`上移 ${item.name}`}
            disabled={place === 0}
            onClick={() => onMove(-1)}
          />
          <Button
            type="text"
            icon={<ArrowDownOutlined />}
            aria-label={`下移 ${item.name}`}
            disabled={last}
            onClick={() => onMove(1)}
          />
          <Button type="text" danger icon={<DeleteOutlined />} aria-label={`移除 ${item.name}`} onClick={onRemove} />
        </div>
      )}
    </li>
  )
}

function DefaultValue({ item, onChange }: Pick<Props, 'item' | 'onChange'>) {
  const choices = choicesOf(item)
  const own = valueText(item, item.ownDefault)
  const common = { 'aria-label': `${item.name}的默认值`, placeholder: own === '' ? '无默认值' : `默认 ${own}` }
  if (choices)
    return (
      <Select
        {...common}
        allowClear
        value={item.defaultValue}
        options={choices}
        onChange={(value: string | undefined) => onChange(value ?? null)}
      />
    )
  const problem = item.defaultValue === null ? undefined : valueProblem(item, item.defaultValue)
  return (
    <>
      <Input
        {...common}
        allowClear
        maxLength={100}
        value={item.defaultValue ?? ''}
        {...(item.unit === null ? {} : { suffix: item.unit })}
        {...(problem === undefined ? {} : { status: 'error' as const })}
        onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
      />
      {problem !== undefined && (
        <div className="template-problem" role="alert">
          {problem}
        </div>
      )}
    </>
  )
}

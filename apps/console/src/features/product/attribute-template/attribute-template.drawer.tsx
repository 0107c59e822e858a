import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import {
  type AttributeTemplate,
  attributeTemplate,
  maxTemplateItems,
  type TemplateItem,
} from '@wattdeck/contract/product/attribute-template.ts'
import { valueProblem } from '@wattdeck/domain/attribute-value.ts'
import { App, Button, Drawer, Select } from 'antd'
import { useCallback, useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { mayCall } from '../../../kit/api/rights.ts'
import { EmptyPane, States } from '../../../kit/display/States.tsx'
import { abandonQuestion, useDirtyGuard } from '../../../kit/form/use-dirty-guard.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { useUser } from '../../../kit/api/user.ts'
import { TemplateRow } from './attribute-template.row.tsx'
import '../_shared/product.css'

type Props = { of: AttributeTemplate; refresh: readonly AnyRoute[]; onClose: () => void }

/** The attributes of a template with order and defaults; saved as a whole. */
export function ItemsDrawer({ of, refresh, onClose }: Props) {
  const { modal } = App.useApp()
  const stored = useDetail(attributeTemplate.items, { params: { id: of.id } })
  const [edited, setEdited] = useState<readonly TemplateItem[]>()
  const isDirty = useCallback(() => edited !== undefined, [edited])
  useDirtyGuard(isDirty)
  const submit = useSubmit(attributeTemplate.saveItems, {
    refresh: [...refresh, attributeTemplate.items],
    feedback: 'inline',
    onDone: onClose,
  })
  const wrong = (edited ?? []).some((item) => item.defaultValue !== null && valueProblem(item, item.defaultValue))

  const close = () => {
    if (edited === undefined) onClose()
    else void modal.confirm({ ...abandonQuestion, onOk: onClose })
  }
  const save = () =>
    submit.run({
      body: {
        id: of.id,
        items: (edited ?? []).map(({ attributeId, defaultValue }) => ({
          attributeId,
          ...(defaultValue === null ? {} : { defaultValue }),
        })),
      },
    })
  return (
    <Drawer
      open
      title={`属性维护：${of.name}`}
      size={900}
      mask={{ closable: edited === undefined }}
      onClose={close}
      extra={
        <Can route={attributeTemplate.saveItems}>
          <Button
            type="primary"
            disabled={edited === undefined || wrong}
            loading={submit.pending}
            onClick={() => void save()}
          >
            保存
          </Button>
        </Can>
      }
    >
      <FailureAlert texts={submit.texts} />
      <States query={stored} rows={8}>
        {(items) => <Items items={edited ?? items} onChange={setEdited} />}
      </States>
    </Drawer>
  )
}

type ItemsProps = { items: readonly TemplateItem[]; onChange: (items: readonly TemplateItem[]) => void }

function Items({ items, onChange }: ItemsProps) {
  const readOnly = !mayCall(useUser(), attributeTemplate.saveItems.access)
  const replaceItem = (place: number, item: TemplateItem) => onChange(items.with(place, item))
  const swap = (from: number, to: number) => {
    const [one, other] = [items[from], items[to]]
    if (one && other) onChange(items.with(from, other).with(to, one))
  }
  return (
    <>
      {!readOnly && <AddAttribute items={items} onAdd={(item) => onChange([...items, item])} />}
      {items.length === 0 ? (
        <EmptyPane filtered={false} text="模板还没有属性" />
      ) : (
        <ol className="template-items">
          {items.map((item, place) => (
            <TemplateRow
              key={item.attributeId}
              item={item}
              place={place}
              last={place === items.length - 1}
              readOnly={readOnly}
              onChange={(defaultValue) => replaceItem(place, { ...item, defaultValue })}
              onMove={(by) => swap(place, place + by)}
              onRemove={() => onChange(items.toSpliced(place, 1))}
            />
          ))}
        </ol>
      )}
    </>
  )
}

/** Enabled attributes that the template does not contain yet, by group. */
function AddAttribute({ items, onAdd }: { items: readonly TemplateItem[]; onAdd: (item: TemplateItem) => void }) {
  const { data = [], isFetching } = useDetail(attributeTemplate.attributes)
  const usedIds = new Set(items.map((item) => item.attributeId))
  const free = data.filter((attribute) => !usedIds.has(attribute.attributeId))
  const groups = [...new Set(free.map((attribute) => attribute.groupName))]
  const full = items.length >= maxTemplateItems
  return (
    <Select
      className="add-attribute"
      aria-label="添加属性"
      showSearch={{ optionFilterProp: 'label' }}
      // The select stays empty: a choice is added to the list.
      value={null}
      loading={isFetching}
      disabled={full || free.length === 0}
      placeholder={full ? `最多 ${maxTemplateItems} 个属性` : free.length === 0 ? '没有可添加的属性' : '添加属性'}
      options={groups.map((group) => ({
        label: group,
        options: free
          .filter((attribute) => attribute.groupName === group)
          .map(({ attributeId, name, identifier }) => ({ value: attributeId, label: `${name}（${identifier}）` })),
      }))}
      onChange={(id: string | null) => {
        const attribute = free.find((one) => one.attributeId === id)
        if (attribute) onAdd({ ...attribute, defaultValue: null })
      }}
    />
  )
}

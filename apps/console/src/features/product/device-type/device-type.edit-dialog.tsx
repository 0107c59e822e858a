import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type { CategoryNode } from '@wattdeck/contract/product/device-category.ts'
import { type DeviceType, deviceType, metering, portCount } from '@wattdeck/contract/product/device-type.ts'
import { dtuProtocol } from '@wattdeck/contract/product/dtu-protocol.ts'
import { instructionSet } from '@wattdeck/contract/product/instruction-set.ts'
import { Form, Radio, TreeSelect } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { FormSection } from '../../../kit/form/FormSection.tsx'
import { PictureField } from '../../../kit/media/PictureField.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { initialOf } from '../_shared/catalogue-actions.ts'
import { TemplateField } from './device-type.template-dialog.tsx'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import { NumberField } from '../../../kit/form/fields/NumberField.tsx'

type Props = {
  row: DeviceType | undefined
  tree: readonly CategoryNode[]
  refresh: readonly AnyRoute[]
  onClose: () => void
}

export function TypeDialog({ row, tree, refresh, onClose }: Props) {
  const common = { columns: 2 as const, size: 900 as const, refresh, onClose }
  if (row)
    return (
      <FormDialog
        {...common}
        title={`编辑设备类型：${row.name}（${row.code}）`}
        route={deviceType.edit}
        initial={initialOf(row)}
        also={{ id: row.id }}
      >
        <TypeFields of={row} />
      </FormDialog>
    )
  return (
    <FormDialog
      {...common}
      title="新增设备类型"
      route={deviceType.add}
      initial={{ portCount: portCount.code.ten, metering: metering.code.electric }}
    >
      <FormSection title="分类与编码" note="编码由大类、小类和型号组成，如 02-02-02" />
      <Field name="smallCategoryId" label="设备小类" choose>
        <TreeSelect
          treeDefaultExpandAll
          showSearch={{ treeNodeFilterProp: 'title' }}
          treeData={tree
            .filter((big) => !big.disabled && big.children.length > 0)
            .map((big) => ({
              value: big.id,
              title: `${big.code} ${big.name}`,
              selectable: false,
              children: big.children
                .filter((small) => !small.disabled)
                .map((small) => ({ value: small.id, title: `${small.code} ${small.name}` })),
            }))}
        />
      </Field>
      <ModelField tree={tree} />
      <TypeFields />
      <TemplateField />
    </FormDialog>
  )
}

function ModelField({ tree }: { tree: readonly CategoryNode[] }) {
  const smallId = Form.useWatch<string | undefined>('smallCategoryId')
  const small = tree.flatMap((big) => big.children).find((one) => one.id === smallId)
  return (
    <TextField
      name="modelNo"
      label="型号编码"
      help="2位数字，留空则自动编号，保存后不能修改"
      inputMode="numeric"
      maxLength={2}
      prefix={small ? `${small.code}-` : undefined}
    />
  )
}

function TypeFields({ of }: { of?: DeviceType }) {
  const bound = of !== undefined && of.deviceCount > 0
  return (
    <>
      <FormSection title="基本信息" {...(bound ? { note: `已有 ${of.deviceCount} 台设备，端口数不能更改` } : {})} />
      <TextField name="name" label="类型名称" />
      <TextField name="maker" label="厂家" />
      <SelectField name="portCount" label="端口数" options={portCount.options} disabled={bound} />
      <NumberField name="ratedW" label="额定功率（W）" min={1} max={1_000_000} />
      <Field name="metering" label="计量方式" choose>
        <Radio.Group options={metering.options} />
      </Field>
      <Field name="pictureId" label="图片" choose>
        <PictureField alt="设备类型图片" />
      </Field>
      <FormSection title="通信" />
      <ProtocolFields {...(of ? { of } : {})} />
    </>
  )
}

/** The instruction sets of the selected protocol, and the current set even when it is no longer offered. */
function ProtocolFields({ of }: { of?: DeviceType }) {
  const form = Form.useFormInstance()
  const protocolId = Form.useWatch<string | undefined>('protocolId')
  const protocols = useDetail(dtuProtocol.options)
  const sets = useDetail(instructionSet.options)
  const offered = (protocols.data ?? []).map(({ id, code, name, adapter }) => ({
    value: id,
    label: `${name}（${code}）${adapter === null ? '，仅登记' : ''}`,
  }))
  const fitting = (sets.data ?? [])
    .filter((set) => set.protocolId === null || set.protocolId === protocolId)
    .map(({ id, code, name }) => ({ value: id, label: `${name}（${code}）` }))
  return (
    <>
      <SelectField
        name="protocolId"
        label="协议"
        showSearch={{ optionFilterProp: 'label' }}
        loading={protocols.isFetching}
        options={withOld(offered, of?.protocolId, of?.protocolName)}
        onChange={() => form.setFieldValue('instructionSetId', undefined)}
      />
      <SelectField
        name="instructionSetId"
        label="指令集"
        help="仅列出适用于所选协议的指令集"
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        loading={sets.isFetching}
        disabled={protocolId === undefined}
        options={
          protocolId === of?.protocolId ? withOld(fitting, of?.instructionSetId, of?.instructionSetName) : fitting
        }
      />
    </>
  )
}

type Option = { value: string; label: string }
const withOld = (options: Option[], id: string | null | undefined, name: string | null | undefined): Option[] =>
  !id || !name || options.some((option) => option.value === id)
    ? options
    : [...options, { value: id, label: `${name}（已停用）` }]

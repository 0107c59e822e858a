import { consumptionStandard, type StandardDetail } from '@wattdeck/contract/product/consumption-standard.ts'
import { rulesOf, sheetProblems, tariffProtocol, TariffSheet } from '@wattdeck/contract/product/tariff-sheet.ts'
import { App, Button, Drawer, Form } from 'antd'
import { useCallback, useState } from 'react'
import { ApiError } from '../../../kit/api/api-error.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { FormRoute } from '../../../kit/form/Field.tsx'
import { FormSection } from '../../../kit/form/FormSection.tsx'
import { AgentField, OrganiseField, SiteField } from '../../../kit/owner-region/OwnerFields.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { abandonQuestion, useDirtyGuard } from '../../../kit/form/use-dirty-guard.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { RuleFields } from '../tariff/tariff-fields.tsx'
import { emptyForm, formOf, sheetFrom, type TariffForm } from '../tariff/tariff-form.ts'
import { TariffPreview } from '../tariff/tariff-preview.tsx'
import type { Problems } from '../tariff/tariff-rows.tsx'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import '../tariff/tariff.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Props = { id?: string | undefined; onClose: () => void; onSaved: (id: string) => void }

/** A new tariff, or the draft of a new version of an existing one. */
export function TariffEditor({ id, ...rest }: Props) {
  const stored = useDetail(consumptionStandard.read, { params: { id: id ?? '1' }, enabled: id !== undefined })
  if (id === undefined) return <Editor {...rest} />
  return stored.data === undefined ? (
    <Drawer open title="编辑消费标准" size={dialogWidth.xl} onClose={rest.onClose}>
      <States query={stored} rows={10}>
        {() => null}
      </States>
    </Drawer>
  ) : (
    <Editor of={stored.data} {...rest} />
  )
}

/** An untouched form shows no validation errors. */
const untouched: Problems = new Map()

type Values = { name?: string; deviceTypeIds?: string[]; organiseId?: string; agentId?: string; siteId?: string }
type EditorProps = Omit<Props, 'id'> & { of?: StandardDetail }

/** The first problem of each field, in the order of the form. */
function firsts(all: readonly (readonly [string, string])[]): Problems {
  const firstTexts = new Map<string, string>()
  for (const [path, text] of all) if (!firstTexts.has(path)) firstTexts.set(path, text)
  return firstTexts
}

/** Validation problems by field; the server validates again. */
function problemsOf(form: TariffForm, adapters: readonly string[]): Problems {
  const sheet = sheetFrom(form)
  const parsed = TariffSheet.safeParse(sheet)
  if (!parsed.success) return firsts(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]))
  const protocols = new Set(adapters.flatMap((adapter) => tariffProtocol(adapter) ?? []))
  return firsts(sheetProblems(rulesOf(parsed.data), [...protocols]).map(({ path, text }) => [path, text]))
}

function Editor({ of, onClose, onSaved }: EditorProps) {
  const { modal } = App.useApp()
  const [values] = Form.useForm<Values>()
  const source = of?.draft ?? of?.scheduled ?? of?.inForce
  const [form, setForm] = useState<TariffForm>(() => (source ? formOf(source.sheet) : emptyForm))
  const [touched, setTouched] = useState(false)
  const [refused, setRefused] = useState<Problems>(new Map())
  const isDirty = useCallback(() => touched, [touched])
  useDirtyGuard(isDirty)
  const types = useDetail(consumptionStandard.deviceTypes)
  const typeIds = Form.useWatch('deviceTypeIds', values) ?? of?.deviceTypeIds ?? []
  const chosen = (types.data ?? []).filter((type) => typeIds.includes(type.id)).map(({ adapter }) => adapter)
  const problems = new Map([...refused, ...problemsOf(form, [...chosen, ...(of?.adapters ?? [])])])

  const route = of === undefined ? consumptionStandard.add : consumptionStandard.edit
  const submit = useSubmit(route, {
    refresh: [consumptionStandard.list, consumptionStandard.read, consumptionStandard.versions],
    feedback: 'inline',
    form: values,
    onDone: (data) => {
      setTouched(false)
      onSaved(of?.id ?? data?.id ?? '')
    },
    onFailed: (error) => {
      if (!(error instanceof ApiError)) return
      const own = Object.entries(error.fields).filter(([name]) => name.startsWith('rules.'))
      setRefused(new Map(own.map(([name, text]) => [name.slice('rules.'.length), text])))
    },
  })
  function change(next: Partial<TariffForm>) {
    setTouched(true)
    setRefused(new Map())
    setForm((now) => ({ ...now, ...next }))
  }
  const close = () => {
    if (touched) void modal.confirm({ ...abandonQuestion, onOk: onClose })
    else onClose()
  }
  const send = (filled: Values) => {
    const { name = '', deviceTypeIds = [], ...place } = filled
    const content = { name, deviceTypeIds, rules: sheetFrom(form) }
    void submit.run({ body: (of === undefined ? { ...content, ...place } : { id: of.id, ...content }) as never })
  }
  const published = of !== undefined && (of.inForce !== null || of.scheduled !== null)
  return (
    <Drawer
      open
      title={<h2 className="tariff-title">{of === undefined ? '新增消费标准' : `编辑消费标准：${of.name}`}</h2>}
      size={dialogWidth.xl}
      mask={{ closable: false }}
      onClose={close}
      extra={
        <Button type="primary" disabled={problems.size > 0} loading={submit.pending} onClick={() => values.submit()}>
          保存草稿
        </Button>
      }
    >
      <FailureAlert texts={submit.texts} />
      {published && <p className="meta">正在生效的版本不会改变。保存后生成新版本的草稿，发布后才会生效。</p>}
      <div className="tariff-editor">
        <div>
          <Form
            form={values}
            layout="vertical"
            initialValues={{ name: of?.name, deviceTypeIds: of?.deviceTypeIds ?? [] }}
            onValuesChange={() => setTouched(true)}
            onFinish={send}
          >
            <FormRoute value={route}>
              <div className="form-grid two">
                <FormSection title="基本信息" />
                <TextField name="name" label="名称" maxLength={40} />
                <SelectField
                  name="deviceTypeIds"
                  label="适用设备类型"
                  help="留空表示全部类型"
                  mode="multiple"
                  allowClear
                  maxTagCount="responsive"
                  showSearch={{ optionFilterProp: 'label' }}
                  loading={types.isFetching}
                  placeholder="全部"
                  options={(types.data ?? []).map((type) => ({ value: type.id, label: type.name }))}
                />
                {of === undefined && (
                  <>
                    <OrganiseField />
                    <AgentField help="留空则全机构共用" />
                    <SiteField />
                  </>
                )}
              </div>
            </FormRoute>
          </Form>
          <RuleFields form={form} fixedType={published} problems={touched ? problems : untouched} onChange={change} />
        </div>
        <TariffPreview sheet={sheetFrom(form)} problems={problems} />
      </div>
    </Drawer>
  )
}

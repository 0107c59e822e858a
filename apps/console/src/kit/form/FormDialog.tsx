import type { AnyRoute, BodyOf, DataOf, ParamsOf } from '@wattdeck/contract/kit/route.ts'
import { App, Form, type FormInstance, Modal } from 'antd'
import { type ReactNode, useCallback, useRef } from 'react'
import { flushSync } from 'react-dom'
import { DraftNotice } from './DraftNotice.tsx'
import { hasPrivateFields } from './drafts.ts'
import { FailureAlert } from './FailureAlert.tsx'
import { FormRoute } from './Field.tsx'
import { abandonQuestion, useDirtyGuard } from './use-dirty-guard.ts'
import { useDraft } from './use-draft.ts'
import { useSubmit } from './use-submit.ts'
import { type DialogWidth, dialogWidth } from './dialog-width.ts'

type Values = Record<string, unknown>
type Props<R extends AnyRoute> = {
  /** Names the record that is edited. */
  title: string
  route: R
  /** Mounted means open: the page unmounts it to close it. */
  onClose: () => void
  children: ReactNode
  size?: DialogWidth
  /** Two columns from seven fields on. */
  columns?: 1 | 2
  initial?: Values
  params?: ParamsOf<R>
  /** Sent with the fields, such as the id of the record. */
  also?: Partial<BodyOf<R>>
  /** Builds the body, if it is not just the fields and `also`. */
  toBody?: (values: Values) => BodyOf<R>
  refresh?: readonly AnyRoute[]
  onDone?: (data: DataOf<R>) => void
  okText?: string
  /** Renders the submit button as dangerous. */
  danger?: boolean
}

/** A form in a dialog, with the submit behaviour of spec §5. Input survives a reload as a draft. */
export function FormDialog<R extends AnyRoute>(props: Props<R>) {
  const { title, route, onClose, children, size = dialogWidth.s, columns = 1, initial, toBody, okText = '保存' } = props
  const { modal } = App.useApp()
  const [form] = Form.useForm<Values>()
  const content = useRef<HTMLDivElement>(null)
  const saved = useRef(false)
  const draft = useDraft(route, [title, props.params, initial])
  const { restored } = draft
  const isDirty = useCallback(
    () => !saved.current && (restored !== undefined || form.isFieldsTouched()),
    [form, restored],
  )
  useDirtyGuard(isDirty, draft.forget)
  const submit = useSubmit(route, {
    ...(props.refresh ? { refresh: props.refresh } : {}),
    feedback: 'inline',
    form,
    onDone: (data) => {
      saved.current = true
      draft.forget()
      form.resetFields()
      onClose()
      props.onDone?.(data)
    },
  })

  function giveUp() {
    draft.forget()
    onClose()
  }
  function close() {
    if (isDirty()) void modal.confirm({ ...abandonQuestion, onOk: giveUp })
    else onClose()
  }
  function discard() {
    // The initial values must be free of the draft before the form is reset to them.
    flushSync(() => draft.discard())
    form.resetFields()
  }
  const send = (values: Values) =>
    submit.run({
      body: toBody ? toBody(values) : ({ ...values, ...props.also } as BodyOf<R>),
      ...(props.params ? { params: props.params } : {}),
    })

  // The form wraps the whole dialog, so that its button and the Enter key submit it.
  const inForm = (dialog: ReactNode) => (
    <Form
      form={form}
      layout="vertical"
      initialValues={{ ...initial, ...restored }}
      onValuesChange={() => draft.keep(touchedValues(form))}
      onFinish={(values) => void send(values)}
    >
      {dialog}
    </Form>
  )
  return (
    <Modal
      open
      title={title}
      width={size}
      okText={okText}
      cancelText="取消"
      onCancel={close}
      confirmLoading={submit.pending}
      okButtonProps={{ htmlType: 'submit', danger: props.danger ?? false }}
      mask={{ closable: false }}
      afterOpenChange={(open) => {
        if (open) firstControl(content.current)?.focus()
      }}
      modalRender={inForm}
    >
      {restored && <DraftNotice incomplete={hasPrivateFields(route)} onDiscard={discard} />}
      <FailureAlert texts={submit.texts} />
      <FormRoute value={route}>
        <div ref={content} className={columns === 2 ? 'form-grid two' : 'form-grid'}>
          {children}
        </div>
      </FormRoute>
    </Modal>
  )
}

/** Complete values of the touched fields, also where only one item of a list was touched. */
const touchedValues = (form: FormInstance<Values>): Values =>
  Object.fromEntries(Object.entries(form.getFieldsValue(true) as Values).filter(([name]) => form.isFieldTouched(name)))

const firstControl = (within: HTMLElement | null) =>
  within?.querySelector<HTMLElement>('input:not([type=hidden]):not(:disabled), textarea:not(:disabled)')

import { helpDocument, helpDocumentType } from '@wattdeck/contract/system/help-document.ts'
import { Form } from 'antd'
import { useDeferredValue } from 'react'
import { registeredScreens } from '../../../kit/routing/current-screen.ts'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { Markdown } from '../../../kit/help/Markdown.tsx'
import { helpChanges, type HelpDraft } from './help-document.actions.ts'
import { TextField, LinesField } from '../../../kit/form/fields/TextField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import './help-document.css'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'

type Props = { draft: HelpDraft; onAdded: (id: string) => void; onClose: () => void }

export function HelpDialog({ draft: { document }, onAdded, onClose }: Props) {
  useReturnFocus(true)
  const common = { ...helpChanges, size: 1400 as const, onClose }
  if (!document)
    return (
      <FormDialog
        {...common}
        title="新增文档"
        okText="保存为草稿"
        route={helpDocument.add}
        initial={{ type: helpDocumentType.code.platform }}
        onDone={({ id }) => onAdded(id)}
      >
        <HelpFields />
      </FormDialog>
    )
  const { id, type, title, body, screen } = document
  return (
    <FormDialog
      {...common}
      title={`编辑文档：${title}`}
      route={helpDocument.edit}
      initial={{ type, title, body, screen: screen ?? undefined }}
      also={{ id }}
    >
      <HelpFields />
    </FormDialog>
  )
}

const HelpFields = () => (
  <div className="help-edit">
    <div>
      <TextField name="title" label="标题" maxLength={60} />
      <div className="form-grid two">
        <SelectField name="type" label="类型" options={helpDocumentType.options} />
        <SelectField
          name="screen"
          label="适用页面"
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          placeholder="不限"
          options={screenOptions()}
        />
      </div>
      <LinesField
        name="body"
        label="正文"
        help="Markdown：标题 #、列表 -、表格 |、粗体 **、代码 `、引用 >；链接限 https 或以 / 开头的站内地址，图片限站内地址"
        className="help-source"
        rows={18}
        maxLength={20_000}
        spellCheck={false}
      />
    </div>
    <Preview />
  </div>
)

/** The pages whose help button can open the document. */
const screenOptions = () =>
  registeredScreens()
    .filter((screen) => !screen.path.includes('*'))
    .map(({ name, title }) => ({ value: name, label: `${title}（${name}）` }))

function Preview() {
  const title = Form.useWatch<string | undefined>('title')
  const body = useDeferredValue(Form.useWatch<string | undefined>('body') ?? '')
  return (
    <section className="panel help-preview" aria-label="预览">
      <h2>{title || '未命名文档'}</h2>
      {body === '' ? <p className="meta">正文的预览显示在这里</p> : <Markdown text={body} />}
    </section>
  )
}

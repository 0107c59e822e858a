import { DownloadOutlined, InboxOutlined } from '@ant-design/icons'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type { ImportSheet } from '@wattdeck/contract/system/batch.ts'
import { sheetMaxRows } from '@wattdeck/domain/limits.ts'
import { App, Button, Upload } from 'antd'
import { errorText } from '../api/error-handling.ts'
import { FailureAlert } from '../form/FailureAlert.tsx'
import { saveFile } from '../api/save-file.ts'
import { useSubmit } from '../form/use-submit.ts'
import './bulk.css'

type Props = { upload: AnyRoute; template: AnyRoute; onDone: (sheet: ImportSheet) => void }

export function ImportUpload({ upload, template, onDone }: Props) {
  const { message } = App.useApp()
  const submit = useSubmit(upload, { feedback: 'quiet', onDone: (sheet) => onDone(sheet as ImportSheet) })
  const fetchTemplate = () => void saveFile(template).catch((error: unknown) => void message.error(errorText(error)))
  return (
    <div className="import-upload">
      <FailureAlert texts={submit.texts} />
      <p>
        请先下载模板，按表头填写后上传。表头带 * 的列必填，每次最多 {sheetMaxRows} 行。
        <Button type="link" icon={<DownloadOutlined />} onClick={fetchTemplate}>
          下载模板
        </Button>
      </p>
      <Upload.Dragger
        accept=".xlsx,.csv"
        showUploadList={false}
        disabled={submit.pending}
        beforeUpload={(file) => {
          void submit.run({ file })
          return false
        }}
      >
        <p className="import-icon">
          <InboxOutlined />
        </p>
        <p>{submit.pending ? '正在读取表格…' : '点击或将文件拖到此处上传'}</p>
        <p className="meta">支持 .xlsx 和 .csv，不超过 10MB</p>
      </Upload.Dragger>
    </div>
  )
}

import { DislikeOutlined, LikeOutlined } from '@ant-design/icons'
import {
  helpDocument,
  type HelpDocument,
  helpDocumentStatus,
  helpDocumentType,
} from '@wattdeck/contract/system/help-document.ts'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import * as cells from '../display/cells.tsx'
import './help.css'
import { Markdown } from './Markdown.tsx'
import { StatusTag } from '../display/StatusTag.tsx'
import { useSubmit } from '../form/use-submit.ts'

const isPublished = (document: HelpDocument) => document.status === helpDocumentStatus.code.published

/** A help document for readers, in the help centre and beside a page. */
export function HelpText({ document, actions }: { document: HelpDocument; actions?: ReactNode }) {
  return (
    <article className="help-paper">
      <header className="help-head">
        <div>
          <h2>{document.title}</h2>
          <p className="meta">
            {!isPublished(document) && <StatusTag of={helpDocumentStatus} value={document.status} />}
            <span>{helpDocumentType.show(document.type).label}</span>
            <span>更新于 {cells.time(document.updatedAt)}</span>
          </p>
        </div>
        {actions && <div className="help-actions">{actions}</div>}
      </header>
      <Markdown text={document.body} />
      {isPublished(document) && <Opinion document={document} />}
    </article>
  )
}

function Opinion({ document: { id, helpful, opinions } }: { document: HelpDocument }) {
  const submit = useSubmit(helpDocument.feedback, { refresh: [helpDocument.detail] })
  const say = (value: boolean) => () => void submit.run({ body: { id, helpful: value } })
  return (
    <footer className="help-opinion">
      <span>这篇文档对您有帮助吗？</span>
      <Button icon={<LikeOutlined />} aria-pressed={helpful === true} onClick={say(true)}>
        有帮助
      </Button>
      <Button icon={<DislikeOutlined />} aria-pressed={helpful === false} onClick={say(false)}>
        没帮助
      </Button>
      {opinions && (
        <span className="meta">
          共 {cells.count(opinions.helpful)} 人认为有帮助，{cells.count(opinions.notHelpful)} 人认为没帮助
        </span>
      )}
    </footer>
  )
}

import { DownloadOutlined, PlusOutlined, PrinterOutlined, SettingOutlined } from '@ant-design/icons'
import { helpDocument, type HelpDocument } from '@wattdeck/contract/system/help-document.ts'
import { Button, Empty } from 'antd'
import { type ReactNode, useState } from 'react'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { Can } from '../../../kit/api/Can.tsx'
import { HelpText } from '../../../kit/help/HelpText.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { MenuButton, type MenuEntry } from '../../../kit/display/MenuButton.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { useDetail, useList } from '../../../kit/api/queries.ts'
import { fileName, saveText } from '../../../kit/api/save-file.ts'
import { States } from '../../../kit/display/States.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import './help-document.css'
import { type HelpDraft, type HelpTools, useHelpActions } from './help-document.actions.ts'
import { HelpTree } from './help-document.tree.tsx'

const HelpDialog = lazyPart(async () => (await import('./help-document.edit-dialog.tsx')).HelpDialog)

/** The help centre. The open document and the search are stored in the URL. */
export default function HelpDocumentPage() {
  const [params, setParams] = useSearch()
  const keyword = params.get('keyword')?.slice(0, 64) ?? ''
  const list = useList(helpDocument.list, { query: keyword === '' ? {} : { keyword } })
  const [draft, setDraft] = useState<HelpDraft>()
  const docParam = params.get('doc')
  const shown = docParam !== null && /^[1-9]\d{0,17}$/.test(docParam) ? docParam : list.data?.[0]?.id
  const show = (changes: Record<string, string | undefined>, replace = false) =>
    setParams((now) => withChanges(now, changes), { replace })

  const tree = (
    <HelpTree
      list={list}
      keyword={keyword}
      shown={shown}
      onSearch={(text) => show({ keyword: text }, true)}
      linkTo={(id) => `?${withChanges(params, { doc: id }).toString()}`}
    />
  )
  const reader = shown ? (
    <Reader
      key={shown}
      id={shown}
      order={keyword === '' ? list.data : undefined}
      edit={setDraft}
      onRemoved={() => show({ doc: undefined })}
    />
  ) : (
    list.data && <NothingFound keyword={keyword} />
  )
  return (
    <PageFrame
      title="帮助文档"
      actions={
        <Can route={helpDocument.add}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setDraft({})}>
            新增文档
          </Button>
        </Can>
      }
    >
      <Sides title={list.data?.find((entry) => entry.id === shown)?.title} chosen={docParam} tree={tree}>
        {reader}
      </Sides>
      {draft && (
        <HelpDialog
          draft={draft}
          onAdded={(id) => show({ doc: id, keyword: undefined })}
          onClose={() => setDraft(undefined)}
        />
      )}
    </PageFrame>
  )
}

function withChanges(params: URLSearchParams, changes: Record<string, string | undefined>): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes))
    if (value) next.set(name, value)
    else next.delete(name)
  return next
}

type SidesProps = { title: string | undefined; chosen: string | null; tree: ReactNode; children: ReactNode }

/** On a phone the tree collapses above the text, and again after a document was selected. */
function Sides({ title, chosen, tree, children }: SidesProps) {
  if (useNarrow())
    return (
      <>
        <details key={chosen} className="panel tree-fold">
          <summary>文档目录{title && `：${title}`}</summary>
          {tree}
        </details>
        {children}
      </>
    )
  return (
    <div className="help-sides">
      <div className="panel help-side">{tree}</div>
      {children}
    </div>
  )
}

function Reader({ id, ...tools }: { id: string } & HelpTools) {
  const detail = useDetail(helpDocument.detail, { params: { id } })
  const actionsFor = useHelpActions(tools)
  const buttons = (document: HelpDocument) => (
    <>
      <Button icon={<PrinterOutlined />} onClick={() => globalThis.print()}>
        打印
      </Button>
      <Button icon={<DownloadOutlined />} onClick={() => saveText(fileName(document.title, 'md'), document.body)}>
        下载
      </Button>
      <Manage entries={actionsFor(document)} />
    </>
  )
  return (
    <section className="panel help-sheet">
      <States query={detail} rows={10}>
        {(document) => <HelpText document={document} actions={buttons(document)} />}
      </States>
    </section>
  )
}

function NothingFound({ keyword }: { keyword: string }) {
  const text = keyword === '' ? '暂无帮助文档' : `没有找到包含「${keyword}」的文档`
  return (
    <section className="panel help-sheet">
      <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={text} />
    </section>
  )
}

/** The menu of editors. */
function Manage({ entries }: { entries: readonly MenuEntry[] }) {
  if (entries.length === 0) return null
  return (
    <MenuButton icon={<SettingOutlined />} aria-label="管理文档" entries={entries}>
      管理
    </MenuButton>
  )
}

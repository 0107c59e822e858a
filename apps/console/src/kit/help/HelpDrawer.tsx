import { ArrowLeftOutlined, ReadOutlined } from '@ant-design/icons'
import { helpDocument, type HelpDocumentEntry } from '@wattdeck/contract/system/help-document.ts'
import { Button, Drawer, Empty } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { Excerpt } from '../display/Excerpt.tsx'
import './help.css'
import { HelpText } from './HelpText.tsx'
import { helpPath } from '../routing/paths.ts'
import { useDetail, useList } from '../api/queries.ts'
import type { Screen } from '../routing/screen.ts'
import { SearchBox } from '../form/SearchBox.tsx'
import { States } from '../display/States.tsx'
import { useDebouncedText } from '../display/use-settled.ts'

/** The help documents of a screen, and a search in all documents. */
export function HelpDrawer({ screen, onClose }: { screen: Screen; onClose: () => void }) {
  const [text, setText] = useState('')
  const [opened, setOpened] = useState<string>()
  const keyword = useDebouncedText(text)
  const own = useList(helpDocument.list, { query: { screen: screen.name } })
  const found = useList(helpDocument.list, { query: { keyword }, enabled: keyword !== '' })
  const searching = text.trim() !== '' && keyword !== ''
  const shown = opened ?? (!searching && own.data?.length === 1 ? own.data[0]?.id : undefined)
  return (
    <Drawer
      open
      title={`帮助：${screen.title}`}
      size={520}
      onClose={onClose}
      extra={
        <Link to={shown ? `${helpPath}?doc=${shown}` : helpPath} onClick={onClose}>
          <ReadOutlined /> 打开帮助中心
        </Link>
      }
    >
      <div className="help-search">
        {opened && (
          <Button icon={<ArrowLeftOutlined />} onClick={() => setOpened(undefined)}>
            返回
          </Button>
        )}
        <SearchBox
          label="搜索全部帮助文档"
          value={text}
          onChange={(next) => {
            setText(next)
            setOpened(undefined)
          }}
        />
      </div>
      {shown ? (
        <Reading id={shown} />
      ) : (
        <States query={searching ? found : own}>
          {(entries) => (
            <Entries
              entries={entries}
              keyword={keyword}
              none={searching ? `没有找到包含「${keyword}」的文档` : '本页还没有专门的帮助文档，可以搜索其他文档'}
              onOpen={setOpened}
            />
          )}
        </States>
      )}
    </Drawer>
  )
}

function Reading({ id }: { id: string }) {
  const detail = useDetail(helpDocument.detail, { params: { id } })
  return (
    <States query={detail} rows={8}>
      {(document) => <HelpText document={document} />}
    </States>
  )
}

type EntriesProps = {
  entries: readonly HelpDocumentEntry[]
  keyword: string
  none: string
  onOpen: (id: string) => void
}

function Entries({ entries, keyword, none, onOpen }: EntriesProps) {
  if (entries.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={none} />
  return (
    <ul className="help-entries">
      {entries.map(({ id, title, excerpt }) => (
        <li key={id}>
          <button type="button" onClick={() => onOpen(id)}>
            <strong>{title}</strong>
            {excerpt && <Excerpt text={excerpt} keyword={keyword} />}
          </button>
        </li>
      ))}
    </ul>
  )
}

import {
  type HelpDocumentEntry,
  helpDocumentStatus,
  helpDocumentType,
} from '@wattdeck/contract/system/help-document.ts'
import { Button } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'react-router'
import { Excerpt } from '../../../kit/display/Excerpt.tsx'
import { SearchBox } from '../../../kit/form/SearchBox.tsx'
import { States } from '../../../kit/display/States.tsx'
import { StatusTag } from '../../../kit/display/StatusTag.tsx'
import { useDebouncedText } from '../../../kit/display/use-settled.ts'

type Props = {
  list: Parameters<typeof States<HelpDocumentEntry[]>>[0]['query']
  keyword: string
  shown: string | undefined
  onSearch: (keyword: string) => void
  linkTo: (id: string) => string
}

/** The documents by type, or the search results. */
export function HelpTree({ list, keyword, shown, onSearch, linkTo }: Props) {
  const [text, setText] = useState(keyword)
  const settled = useDebouncedText(text)
  const search = useEffectEvent((next: string) => {
    if (next !== keyword) onSearch(next)
  })
  useEffect(() => search(settled), [settled])
  return (
    <nav className="help-tree" aria-label="文档目录">
      <SearchBox label="搜索标题和正文" value={text} onChange={setText} />
      <States query={list} rows={8}>
        {(entries) =>
          entries.length === 0 ? (
            <p className="meta">
              没有可以阅读的文档
              {keyword !== '' && (
                <Button type="link" size="small" onClick={() => setText('')}>
                  清除搜索
                </Button>
              )}
            </p>
          ) : (
            <Groups entries={entries} keyword={keyword} shown={shown} linkTo={linkTo} />
          )
        }
      </States>
    </nav>
  )
}

type GroupsProps = Pick<Props, 'keyword' | 'shown' | 'linkTo'> & { entries: readonly HelpDocumentEntry[] }

function Groups({ entries, keyword, shown, linkTo }: GroupsProps) {
  const groups = helpDocumentType.options.map(({ value, label }) => ({
    label,
    entries: entries.filter((entry) => entry.type === value),
  }))
  return groups
    .filter((group) => group.entries.length > 0)
    .map((group) => (
      <details key={group.label} open>
        <summary>
          {group.label}
          <span className="meta">{group.entries.length}</span>
        </summary>
        <ul>
          {group.entries.map(({ id, title, status, excerpt }) => (
            <li key={id}>
              <Link to={linkTo(id)} aria-current={id === shown ? 'page' : undefined}>
                <span className="help-name">
                  {title}
                  {status === helpDocumentStatus.code.draft && <StatusTag of={helpDocumentStatus} value={status} />}
                </span>
                {excerpt && <Excerpt text={excerpt} keyword={keyword} />}
              </Link>
            </li>
          ))}
        </ul>
      </details>
    ))
}

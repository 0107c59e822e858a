import { Select } from 'antd'
import { type ReactNode, useState } from 'react'
import { errorText } from '../api/error-handling.ts'
import { type OwnerIds, type OwnerLevel, ownerLabels } from './owner.ts'
import { cacheOwner, type Owner, useOwner, useOwnerSearch } from './use-owner.ts'
import { useDebouncedText } from '../display/use-settled.ts'

type Props = {
  level: OwnerLevel
  /** The organisation, and for sites the agent, of the options; the user's own by default. */
  within?: OwnerIds
  value?: string | null | undefined
  onChange?: (id: string | undefined) => void
  id?: string
  className?: string
  placeholder?: string
  popupWidth?: number
  /** The accessible name, if it is not the label of the level. */
  'aria-label'?: string
}

/** Selects an organisation, agent or site; the server searches. */
export function OwnerSelect({ level, within, value, onChange, popupWidth, placeholder, ...rest }: Props) {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const keyword = useDebouncedText(text)
  const found = useOwnerSearch(level, { within, keyword, enabled: open })
  const rows = keyword === text.trim() ? found.rows : undefined
  const chosen = useOwner(level, value ?? undefined)
  const word = ownerLabels[level]

  function choose(id: string | null | undefined) {
    const owner = rows?.find((row) => row.id === id)
    if (owner) cacheOwner(level, owner)
    onChange?.(id ?? undefined)
  }
  return (
    <Select<string | null>
      aria-label={word}
      placeholder={placeholder ?? word}
      allowClear
      loading={found.isFetching}
      // The server has searched already.
      showSearch={{ filterOption: false, onSearch: setText }}
      options={(rows ?? []).map(optionOf)}
      optionRender={({ data }) => data['full'] as string}
      // The selected owner may be missing from the search results.
      labelRender={({ label, value: id }) => label ?? chosen?.name ?? (chosen === null ? id : '…')}
      notFoundContent={found.error ? errorText(found.error) : rows ? '没有匹配的结果' : '正在搜索…'}
      popupRender={(list) => withHint(list, rows !== undefined && found.more)}
      {...(popupWidth ? { popupMatchSelectWidth: popupWidth } : {})}
      {...rest}
      value={value ?? null}
      onOpenChange={(now) => {
        setOpen(now)
        if (!now) setText('')
      }}
      onChange={choose}
    />
  )
}

const withHint = (list: ReactNode, more: boolean) => (
  <>
    {list}
    {more && <p className="owner-more">仅显示部分结果，请输入名称查找</p>}
  </>
)

const optionOf = ({ id, name, fullName = name }: Owner) => ({ value: id, label: name, full: fullName, title: fullName })

import { offlineRecharge, type Payee } from '@wattdeck/contract/operating/offline-recharge.ts'
import { Select } from 'antd'
import { useState } from 'react'
import { errorText } from '../../../kit/api/error-handling.ts'
import { useDetail } from '../../../kit/api/queries.ts'
import { useDebouncedText } from '../../../kit/display/use-settled.ts'

type Props = {
  target: 1 | 2
  /** The payee that is chosen from the start. */
  known?: Payee | undefined
  placeholder: string
  id?: string
  value?: string
  onChange?: (id: string | undefined) => void
}

/** Finds a member or a card by its complete number; the server searches, and masks personal data. */
export function PayeeSelect({ target, known, placeholder, value, onChange, ...rest }: Props) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Payee | undefined>(known)
  const keyword = useDebouncedText(text)
  const found = useDetail(offlineRecharge.payees, { query: { target, keyword } as never, enabled: keyword !== '' })
  const rows = keyword === text.trim() ? found.data?.rows : undefined
  return (
    <Select<string>
      {...rest}
      allowClear
      placeholder={placeholder}
      loading={found.isFetching}
      showSearch={{ filterOption: false, onSearch: setText }}
      options={(rows ?? []).map((row) => ({ value: row.id, label: labelOf(row) }))}
      // The search results are gone once the list is closed.
      labelRender={({ label, value: id }) => label ?? (chosen?.id === id ? labelOf(chosen) : id)}
      notFoundContent={hint(keyword, found)}
      {...(value === undefined ? {} : { value })}
      onChange={(id: string | undefined) => {
        setChosen(rows?.find((row) => row.id === id))
        onChange?.(id)
      }}
    />
  )
}

function hint(keyword: string, { error, isFetching }: { error: Error | null; isFetching: boolean }): string {
  if (error) return errorText(error)
  if (keyword === '') return '请输入完整号码'
  return isFetching ? '正在查找…' : '没有找到，请核对完整号码'
}

/** 张*明 137****9999 · 翠湖花园 */
function labelOf({ id, name, phone, cardNo, siteName }: Payee): string {
  const holder = [name, phone].filter((text) => text !== null).join(' ')
  const subject = cardNo === null ? `${holder}（${id}）` : [cardNo, holder || '不记名'].join(' ')
  return siteName === null ? subject : `${subject} · ${siteName}`
}

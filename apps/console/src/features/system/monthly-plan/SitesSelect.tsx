import { Form, Select } from 'antd'
import { useState } from 'react'
import { errorText } from '../../../kit/api/error-handling.ts'
import { useUser } from '../../../kit/api/user.ts'
import { useDebouncedText } from '../../../kit/display/use-settled.ts'
import { useOwnerSearch } from '../../../kit/owner-region/use-owner.ts'

type Plan = {
  organiseId: string
  agentId: string | null
  siteIds: string[] | null
  siteNames: string[] | null
}
type Props = {
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
  /** The plan whose sites are already chosen. */
  known: Plan | undefined
}

/** Selects sites below the owner of the plan; the server searches. */
export function SitesSelect({ known, value, onChange, ...rest }: Props) {
  const user = useUser()
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [names, setNames] = useState<ReadonlyMap<string, string>>(() => namesOf(known))
  const form = Form.useFormInstance()
  const watch = { form, preserve: true }
  const within = {
    organiseId: Form.useWatch<string | undefined>('organiseId', watch) ?? known?.organiseId ?? user?.organiseId,
    agentId: Form.useWatch<string | undefined>('agentId', watch) ?? known?.agentId ?? undefined,
  }
  const keyword = useDebouncedText(text)
  const found = useOwnerSearch('site', { within, keyword, enabled: open })
  const rows = keyword === text.trim() ? (found.rows ?? []) : []

  function choose(ids: string[]) {
    setNames(new Map([...names, ...rows.map(({ id, name }) => [id, name] as const)]))
    onChange?.(ids)
  }
  return (
    <Select<string[]>
      mode="multiple"
      placeholder="输入站点名称查找"
      loading={found.isFetching}
      // The server has searched already.
      showSearch={{ filterOption: false, onSearch: setText }}
      options={rows.map(({ id, name }) => ({ value: id, label: name }))}
      labelRender={({ label, value: id }) => label ?? names.get(String(id)) ?? id}
      notFoundContent={found.error ? errorText(found.error) : '没有匹配的站点'}
      maxTagCount={8}
      {...rest}
      value={value ?? []}
      onOpenChange={(now) => {
        setOpen(now)
        if (!now) setText('')
      }}
      onChange={choose}
    />
  )
}

/** Both lists have the same order, unless sites outside the caller's scope have no name. */
const namesOf = (plan: Plan | undefined): ReadonlyMap<string, string> => {
  const { siteIds, siteNames } = plan ?? {}
  if (!siteIds || siteIds.length !== siteNames?.length) return new Map()
  return new Map(siteIds.map((id, at) => [id, siteNames[at] ?? id]))
}

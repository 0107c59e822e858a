import { type Holder, storedCard } from '@wattdeck/contract/operating/stored-card.ts'
import { Select } from 'antd'
import { useState } from 'react'
import { errorText } from '../../../kit/api/error-handling.ts'
import { useDetail } from '../../../kit/api/queries.ts'
import { useUser } from '../../../kit/api/user.ts'
import { useDebouncedText } from '../../../kit/display/use-settled.ts'
import { Field } from '../../../kit/form/Field.tsx'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { AgentField, OrganiseField, SiteField } from '../../../kit/owner-region/OwnerFields.tsx'
import { cardRoutes } from './stored-card.actions.ts'

/** Issues one card. It has no money: that comes by a recharge, which another person approves. */
export function IssueCardDialog({ onClose }: { onClose: () => void }) {
  const user = useUser()
  return (
    <FormDialog
      title="发卡"
      route={storedCard.issue}
      okText="发卡"
      initial={{ organiseId: user?.organiseId }}
      refresh={cardRoutes}
      onClose={onClose}
    >
      <TextField name="cardNo" label="卡号" inputMode="numeric" maxLength={20} help="卡面上的号码" />
      <TextField name="chipNo" label="物理卡号" maxLength={64} help="读卡器读到的号码；库存卡可不填" />
      <Field name="memberId" label="持卡人" choose help="记名卡余额最多5000元；留空为不记名卡，余额最多1000元">
        <HolderSelect />
      </Field>
      <OrganiseField />
      <AgentField help="留空则直属机构" />
      <SiteField help="留空则不限站点" />
    </FormDialog>
  )
}

type Props = { id?: string; value?: string; onChange?: (id: string | undefined) => void }

/** Finds a member by a complete number; the server searches, and masks personal data. */
function HolderSelect({ value, onChange, ...rest }: Props) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Holder>()
  const keyword = useDebouncedText(text)
  const found = useDetail(storedCard.holders, { query: { keyword } as never, enabled: keyword !== '' })
  const rows = keyword === text.trim() ? found.data?.rows : undefined
  return (
    <Select<string>
      {...rest}
      allowClear
      placeholder="输入完整手机号或会员ID查找"
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

const labelOf = ({ id, name, phone, siteName }: Holder): string =>
  [`${name} ${phone ?? ''}（${id}）`, ...(siteName === null ? [] : [siteName])].join(' · ')

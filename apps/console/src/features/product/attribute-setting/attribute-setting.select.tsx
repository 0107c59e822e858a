import { attributeSetting } from '@wattdeck/contract/product/attribute-setting.ts'
import { Select } from 'antd'
import { useState } from 'react'
import { useDetail } from '../../../kit/api/queries.ts'
import { useDebouncedText } from '../../../kit/display/use-settled.ts'

type Props = { value: string; onChange: (id: string) => void }

/** Selects a device by number prefix. */
export function DeviceSelect({ value, onChange }: Props) {
  const [typed, setTyped] = useState('')
  const keyword = useDebouncedText(typed)
  const { data = [], isFetching } = useDetail(attributeSetting.devices, { query: keyword === '' ? {} : { keyword } })
  const isListed = data.some((device) => device.id === value)
  return (
    <Select
      className="device-select"
      aria-label="选择设备"
      placeholder="输入设备编号"
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={isFetching}
      // The selected device may be missing in the search result; its number is shown below.
      {...(isListed ? { value } : {})}
      notFoundContent={isFetching ? '查询中' : '没有匹配的设备'}
      options={data.map(({ id, deviceNo, name }) => ({ value: id, label: `${deviceNo} ${name}` }))}
      onChange={onChange}
    />
  )
}

import { merchantMode, payProvider } from '@wattdeck/contract/accounting/pay-codes.ts'
import { keyState, type Merchant } from '@wattdeck/contract/accounting/pay-setting.ts'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { Tag } from 'antd'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { decidedColumns } from '../../../kit/list/decided-columns.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'

/** Shows only that a secret is set; the server never sends its value. */
const secretText = ({ keys, provider }: Merchant) => {
  if (provider === payProvider.code.alipay) return cells.dash
  return keys.length === 0 ? '未设置' : '••••••••'
}

/** The key that needs a decision comes first. */
const keysText = ({ keys }: Merchant) => {
  const [first] = keys.toSorted((a, b) => a.state - b.state)
  return first === undefined ? '未上传' : cells.status(keyState, first.state)
}

const allColumns: Column<Merchant>[] = [
  {
    key: 'name',
    title: '商户名称',
    width: 200,
    fixed: 'start',
    render: (row) => (
      <>
        {row.name} {row.isDefault && <Tag>默认</Tag>}
      </>
    ),
  },
  { key: 'status', title: '状态', width: 80, card: 'tag', render: (row) => cells.status(enabledStatus, row.status) },
  {
    key: 'organiseName',
    title: '机构',
    width: 160,
    render: (row) => (
      <ObjectLink kind="organise" id={row.organiseId}>
        {row.organiseName}
      </ObjectLink>
    ),
  },
  { key: 'provider', title: '渠道', width: 100, render: (row) => cells.label(payProvider, row.provider) },
  { key: 'mode', title: '商户模式', width: 100, render: (row) => cells.label(merchantMode, row.mode) },
  { key: 'appId', title: 'AppID', width: 190, render: (row) => row.appId },
  { key: 'merchantNo', title: '商户号', width: 160, render: (row) => row.subMerchantNo ?? row.merchantNo },
  { key: 'testedAt', title: '测试通过', width: 170, render: (row) => cells.time(row.testedAt) },
  { key: 'authorised', title: '平台授权', width: 90, render: (row) => (row.authorised ? '已授权' : '未授权') },
  { key: 'rate', title: '费率', width: 80, align: 'end', render: (row) => `${row.rate}%` },
  { key: 'keys', title: '密钥', width: 120, render: keysText },
  {
    key: 'serial',
    title: '证书序列号',
    width: 220,
    render: (row) => cells.names(row.keys.map(({ serial }) => serial)),
  },
  { key: 'apiV3Key', title: 'APIv3密钥', width: 110, render: secretText },
  {
    key: 'providerKeyId',
    title: '公钥ID',
    width: 220,
    hidden: true,
    render: (row) => cells.names(row.keys.map(({ providerKeyId }) => providerKeyId)),
  },
  {
    key: 'notifyUrl',
    title: '回调地址',
    width: 280,
    hidden: true,
    render: (row) => <CopyId value={row.notifyUrl} what="回调地址" />,
  },
  { key: 'createdAt', title: '创建时间', width: 170, hidden: true, render: (row) => cells.time(row.createdAt) },
]

export const merchantColumns = decidedColumns(allColumns, [
  ['name', 'merchantNo'],
  ['status', 'authorised'],
  ['organiseName', 'provider'],
  ['mode', 'rate'],
  ['appId', 'testedAt'],
  ['keys', 'apiV3Key'],
])

import { enabledStatus } from '@wattdeck/contract/common.ts'
import { type DeviceType, metering, portCount } from '@wattdeck/contract/product/device-type.ts'
import { auditColumns } from '../../../kit/list/audit-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'

const powerText = (watts: number) => (watts < 1000 ? `${watts} W` : `${watts / 1000} kW`)

export const deviceTypeColumns: Column<DeviceType>[] = [
  { key: 'name', title: '类型名称', width: 170, fixed: 'start', render: (row) => row.name },
  { key: 'code', title: '类型编码', width: 120, render: (row) => <CopyId value={row.code} what="类型编码" /> },
  { key: 'categoryName', title: '设备大类', width: 120, render: (row) => row.categoryName },
  { key: 'smallCategoryName', title: '设备小类', width: 95, render: (row) => row.smallCategoryName },
  {
    key: 'portCount',
    title: '端口数',
    width: 70,
    align: 'end',
    render: (row) => cells.label(portCount, row.portCount),
  },
  { key: 'metering', title: '电/时标志', width: 85, render: (row) => cells.label(metering, row.metering) },
  { key: 'ratedW', title: '额定功率', width: 80, align: 'end', render: (row) => powerText(row.ratedW) },
  { key: 'status', title: '状态', width: 70, card: 'tag', render: (row) => cells.status(enabledStatus, row.status) },
  { key: 'protocolName', title: '协议', width: 120, render: (row) => row.protocolName },
  { key: 'instructionSetName', title: '指令集', width: 140, render: (row) => cells.text(row.instructionSetName) },
  {
    key: 'attributeTemplateName',
    title: '属性模板',
    width: 180,
    render: (row) => cells.text(row.attributeTemplateName),
  },
  { key: 'maker', title: '厂家', width: 120, render: (row) => cells.text(row.maker) },
  { key: 'deviceCount', title: '设备数', width: 80, align: 'end', render: (row) => cells.count(row.deviceCount) },
  {
    key: 'picture',
    title: '图片',
    width: 70,
    render: (row) =>
      row.pictureId === null ? cells.dash : <FilePicture id={row.pictureId} alt={`${row.name}图片`} size={32} />,
  },
  ...auditColumns,
]

import { enabledStatus } from '@wattdeck/contract/common.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import {
  deviceServiceStatus,
  installStatus,
  lineStatus,
  onlineStatus,
  plugStatus,
} from '@wattdeck/contract/product/device-codes.ts'
import type { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import type { Filter } from '../../../kit/list/filters.ts'
import type { Preset } from '../../../kit/list/views/presets.ts'
import type { classOptions } from '../_shared/device-class.ts'

/** Common filters of operators. */
export const devicePresets: Preset[] = [
  { name: '在线', text: `online=${onlineStatus.code.online}` },
  { name: '离线', text: `online=${onlineStatus.code.offline}` },
  { name: '故障', text: `plugStatus=${plugStatus.code.fault}` },
  { name: '服务到期', text: `serviceStatus=${deviceServiceStatus.code.expired}` },
]

export const deviceFilters = ({
  categories,
  smalls,
  types,
}: ReturnType<typeof classOptions>): Filter<QueryOf<typeof deviceManage.list>>[] => [
  { kind: 'text', name: 'keyword', label: '编号/名称/IMEI/ICCID' },
  { kind: 'owner' },
  { kind: 'select', name: 'online', label: '在线状态', options: onlineStatus.options },
  { kind: 'select', name: 'plugStatus', label: '端口状态', options: plugStatus.options },
  { kind: 'select', name: 'categoryId', label: '设备大类', options: categories },
  { kind: 'select', name: 'smallCategoryId', label: '设备小类', options: smalls },
  { kind: 'select', name: 'deviceTypeId', label: '设备型号', options: types },
  { kind: 'text', name: 'softwareVersion', label: '软件版本' },
  { kind: 'select', name: 'serviceStatus', label: '服务状态', options: deviceServiceStatus.options },
  { kind: 'dates', from: 'serviceFrom', to: 'serviceTo', label: '服务到期' },
  { kind: 'select', name: 'installStatus', label: '安装状态', options: installStatus.options },
  { kind: 'select', name: 'lineStatus', label: '接入确认', options: lineStatus.options },
  { kind: 'select', name: 'status', label: '状态', options: enabledStatus.options },
  { kind: 'region', label: '区域' },
  { kind: 'dates', from: 'createdFrom', to: 'createdTo', label: '创建时间' },
]

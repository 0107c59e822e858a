import { basicServiceStatus } from '@wattdeck/contract/common.ts'
import type { WorkTable } from '@wattdeck/contract/dashboard/work-table.ts'

const { arrears, normal, warning } = basicServiceStatus.code

/** The contract names no day of expiry, so neither does the text. */
export const serviceText: Record<WorkTable['basicServiceStatus'], string> = {
  [normal]: '您的基础服务状态正常',
  [arrears]: '您的基础服务已欠费，部分功能已停用，请尽快缴费',
  [warning]: '您的基础服务即将到期，请及时续费',
}

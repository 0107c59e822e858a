import { basicServiceStatus } from '@wattdeck/contract/common.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { serviceText, type ServiceStanding, shanghaiDay } from '@wattdeck/domain/base-service.ts'

type Status = UserInfo['basicServiceStatus']
const { normal, arrears, warning } = basicServiceStatus.code
const standings: Record<Status, ServiceStanding> = { [normal]: 'normal', [arrears]: 'arrears', [warning]: 'warning' }

/** The state of the basic service today, as a sentence. */
export const basicServiceText = (status: Status, expiresOn: string | null, nowMs = Date.now()) =>
  serviceText(standings[status], expiresOn, shanghaiDay(nowMs))

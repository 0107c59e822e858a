import { z } from 'zod'
import { basicServiceStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { done, get, post } from '../kit/route.ts'
import { date, id, row, time, whole, yuan } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

/** In months. */
export const serviceCycle = codes({
  month: { code: 1, label: '月' },
  year: { code: 12, label: '年' },
})

export const expiryPolicy = codes({
  stop: { code: 1, label: '到期停服' },
  remind: { code: 2, label: '到期仅提醒' },
})

export type BaseServiceTerms = z.infer<typeof BaseServiceTerms>
const BaseServiceTerms = row({
  unitPrice: z.string().describe('in yuan per device and year'),
  freeDevices: z.int(),
  cycle: serviceCycle.schema,
  expiresOn: date,
  graceDays: z.int(),
  warnDays: z.int(),
  expiryPolicy: expiryPolicy.schema,
  updatedBy: z.string().nullable(),
  updatedAt: time,
})

const menu = menuKey.organise

export const baseService = {
  /** Staff of an organisation read its terms; those of other organisations require the menu of organisations. */
  read: get('/seeker/api/organiseBaseservice/getBaseserviceByOrganiseId', {
    access: 'anyone',
    query: row({ organiseId: id }),
    data: row({
      organiseId: z.string(),
      organiseName: z.string(),
      status: basicServiceStatus.schema,
      terms: BaseServiceTerms.nullable().describe('null until the platform has set them'),
    }),
  }),
  /** Platform only: an organisation must not set its own price and expiry. */
  set: post('/seeker/api/organiseBaseservice/setBaseserviceByOrganiseId', {
    access: { menu, action: 'edit' },
    audit: { module: '基础服务', does: '设置基础服务' },
    body: row({
      organiseId: id,
      unitPrice: yuan,
      freeDevices: whole(0, 1_000_000),
      cycle: serviceCycle.wire,
      expiresOn: date,
      graceDays: whole(0, 90),
      warnDays: whole(1, 90),
      expiryPolicy: expiryPolicy.wire,
    }),
    data: done,
  }),
  status: get('/seeker/api/platform/service/status', {
    access: 'anyone',
    query: row({
      organiseId: id,
      baseService: z.enum(['PLATFORM']),
      agentId: z
        .string()
        .regex(/^[1-9]\d{0,17}$|^$/, '编号格式不正确')
        .transform((value) => (value === '' ? undefined : value))
        .optional()
        .describe('may be empty; an agent has the status of its organisation'),
    }),
    data: row({
      value: basicServiceStatus.schema,
      /** Beyond the specification: the data of the overdue page. */
      expiresOn: date.nullable(),
      stopsOn: date.nullable().describe('first day without the service; null if it is not stopped'),
      servicePhone: z.string().nullable().describe('phone of the platform'),
    }),
  }),
}

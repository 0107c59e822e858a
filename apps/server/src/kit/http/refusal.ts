type Fields = Readonly<Record<string, string>>

/** A refused request, with a message for the user. Every other thrown error is a fault of the server. */
export class Refusal extends Error {
  readonly status: number
  /** True when the transaction must commit in spite of the refusal, for example to count a failed login. */
  readonly keep: boolean
  readonly retryAfterSeconds: number | undefined
  /** Messages by field of the request, for status 422 only. */
  readonly fields: Fields | undefined
  /** True when the refusal reveals a value of another organisation. Such refusals are limited per person. */
  readonly revealsForeignRow: boolean
  /** True when the refusal is delayed, because the caller exceeds its limit and retries at once. */
  readonly waits: boolean
  /** The cause is logged; the caller receives only the message. */
  constructor(
    status: number,
    message: string,
    options: {
      keep?: boolean
      retryAfterSeconds?: number
      fields?: Fields
      revealsForeignRow?: boolean
      waits?: boolean
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.status = status
    this.keep = options.keep ?? false
    this.revealsForeignRow = options.revealsForeignRow ?? false
    this.waits = options.waits ?? false
    this.retryAfterSeconds = options.retryAfterSeconds
    this.fields = options.fields
  }
}

export const notFound = () => new Refusal(404, '记录不存在或已被删除')
/** Returns the row, or throws a refusal when there is none. */
export function orNotFound<T>(value: T | undefined): T {
  if (value === undefined) throw notFound()
  return value
}
export const forbidden = () => new Refusal(403, '您没有该操作的权限')
export const conflict = (message: string) => new Refusal(409, message)
/** The form also shows the message at the named field. */
export const invalid = (message: string, field?: string) =>
  new Refusal(422, message, field === undefined ? {} : { fields: { [field]: message } })
export const overloaded = (message = '服务繁忙，请稍后重试') => new Refusal(503, message, { retryAfterSeconds: 1 })

/** Messages for duplicate values by constraint, because a form with twenty fields must name the field. */
const takenTexts: Record<string, string> = {
  user_account_login_name_key: '登录账号已存在',
  user_account_phone_key: '手机号已被其他账号使用',
  organise_name_key: '机构名称已存在',
  agent_organise_id_name_key: '运营商名称已存在',
  operation_area_organise_id_name_key: '区域名称已存在',
  device_number: '设备编号已存在',
  device_wire: '设备编号或通信标识已被其他设备使用',
  device_imei: 'IMEI已被其他设备使用',
  qr_code_bound: '该设备或端口已绑定同类二维码，请先解绑',
  device_iccid: 'ICCID已被其他设备使用',
  open_charge_pkey: '端口正在使用',
  tariff_name: '消费标准名称已存在',
  tariff_version_scheduled: '已有待生效的版本，请先撤销',
  repair_ticket_alarm: '该告警已有未完成的工单',
}

/** Constraints that are unique across organisations: a violation reveals that another organisation uses the value. */
const sharedNames = new Set([
  'user_account_login_name_key',
  'user_account_phone_key',
  'device_number',
  'device_wire',
  'device_imei',
  'device_iccid',
])

/** Messages for check constraints that an operator may violate. */
const ruleTexts: Record<string, string> = {
  audit_role_apart: '审计角色不能与其他角色同时分配给同一人',
  audit_role_reads: '审计角色只能查看和导出，不能授予其他操作',
}

const byPgCode: Record<string, (constraint: string) => Refusal | undefined> = {
  '23505': (constraint) =>
    new Refusal(409, takenTexts[constraint] ?? '已存在相同的记录', { revealsForeignRow: sharedNames.has(constraint) }),
  '23514': (constraint) => {
    const text = ruleTexts[constraint]
    return text === undefined ? undefined : conflict(text)
  },
  '23503': () => conflict('存在关联数据，不能执行该操作'),
  '40001': () => conflict('数据已被他人修改，请刷新后重试'),
  '40P01': () => conflict('数据已被他人修改，请刷新后重试'),
  '57014': () => overloaded(),
  '55P03': () => overloaded(),
  '53300': () => overloaded(),
  '57P01': () => overloaded(),
  '57P02': () => overloaded(),
  '57P03': () => overloaded(),
  // A server that became a standby rejects writes. The next connection reaches the new primary.
  '25006': () => overloaded(),
}

/** The connection to the database broke or timed out. */
const brokenLine = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
const brokenLineText =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|is not queryable/

/** Maps database errors to refusals. Undefined means a fault of the server. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // Row-level security refused a row of another tenant. A missing scope has the same code, but it is a fault.
  if (code === '42501' && error.message.includes('row-level security')) return notFound()
  if (brokenLine.has(code) || code.startsWith('08') || brokenLineText.test(error.message)) return overloaded()
  const constraint = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : ''
  return byPgCode[code]?.(constraint)
}

/** A request that is turned down, in words for the person who made it. Anything else that is thrown is our fault. */
export class Refusal extends Error {
  readonly status: number
  /** True where what was written so far must stay: a failed login counts even though it is refused. */
  readonly keep: boolean
  readonly retryAfterSeconds: number | undefined
  constructor(status: number, message: string, options: { keep?: boolean; retryAfterSeconds?: number } = {}) {
    super(message)
    this.status = status
    this.keep = options.keep ?? false
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

export const notFound = () => new Refusal(404, '记录不存在或已被删除')
export const forbidden = () => new Refusal(403, '您没有该操作的权限')
export const conflict = (message: string) => new Refusal(409, message)
export const invalid = (message: string) => new Refusal(422, message)
export const overloaded = (message = '服务繁忙，请稍后重试') => new Refusal(503, message, { retryAfterSeconds: 1 })

const byPgCode: Record<string, () => Refusal> = {
  '23505': () => conflict('已存在相同的记录'),
  '23503': () => conflict('存在关联数据，不能执行该操作'),
  '40001': () => conflict('数据已被他人修改，请刷新后重试'),
  '40P01': () => conflict('数据已被他人修改，请刷新后重试'),
  '57014': () => overloaded(),
  '55P03': () => overloaded(),
  '53300': () => overloaded(),
  '57P01': () => overloaded(),
  '57P03': () => overloaded(),
}

/** What the database's refusals mean to the caller. Undefined: not a refusal but a fault of ours. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // Row security turned a write down: the row would belong to somebody else. A missing scope has the same code and is a fault.
  if (code === '42501' && error.message.includes('row-level security')) return notFound()
  if (code === 'ECONNREFUSED' || /timeout exceeded when trying to connect|Connection terminated/.test(error.message))
    return overloaded()
  return byPgCode[code]?.()
}

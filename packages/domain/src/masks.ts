/**
 * Masks by field class. A masked value stays recognisable but not usable. Masking is idempotent: the server masks a
 * reply, and the client parses it by the same schema.
 */
const keep = (value: string, start: number, end: number, stars: string) =>
  value.length <= start + end
    ? '*'.repeat(value.length)
    : `${value.slice(0, start)}${stars}${value.slice(value.length - end)}`

/** zhang@example.com → z***@example.com */
function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? '***' : `${email.slice(0, 1)}***${email.slice(at)}`
}

/** 欧阳修 → 欧** ; the length is kept because it helps to recognise a person. */
function maskName(name: string): string {
  const [first = '', ...rest] = name
  return rest.length === 0 ? '*' : `${first}${'*'.repeat(rest.length)}`
}

export const masks = {
  /** 13812345678 → 138****5678 */
  phone: (value: string) => keep(value, 3, 4, '****'),
  /** 330106199001011234 → 330****1234 */
  idNumber: (value: string) => keep(value, 3, 4, '****'),
  /** 6222021234567890123 → 6222****0123 */
  bankCard: (value: string) => keep(value.replaceAll(' ', ''), 4, 4, '****'),
  /** 0080251376 → 00****1376 */
  cardNo: (value: string) => keep(value, 2, 4, '****'),
  /** a1b2c3d4 → ****3d4 ; a short number leaves less to guess than a printed one. */
  chipNo: (value: string) => keep(value, 0, 3, '****'),
  name: maskName,
  /** 浙A12345 → 浙A***45 */
  plate: (value: string) => keep(value, 2, 2, '***'),
  email: maskEmail,
  /** 浙江省杭州市余杭区文一西路 → 浙江省杭州市**** */
  address: (value: string) => (value.length <= 6 ? '****' : `${value.slice(0, 6)}****`),
  /** oUpF8uMuAJO_M2pxb1Q9zNjWeS6o → oUpF****eS6o */
  openId: (value: string) => keep(value, 4, 4, '****'),
} as const

export type PersonalClass = keyof typeof masks

/** 2088102112345678 and 张三 → 张**（2088****5678） */
export function maskAlipayAccount(userId: string, nickName: string | undefined): string {
  const account = keep(userId, 4, 4, '****')
  const initial = /^[\p{L}\p{N}]/u.exec(nickName ?? '')?.[0]
  return initial === undefined ? account : `${initial}**（${account}）`
}

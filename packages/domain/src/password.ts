/** Password policy: length and character classes as required by 等保, a list of common passwords as required by ASVS. */
export const passwordPolicy = {
  minLength: 10,
  maxLength: 64,
  minClasses: 3,
  maxAgeDays: 90,
  barredLast: 5,
  /** Validity of a password set by another person; it allows one login. */
  firstPasswordHours: 72,
} as const

export const passwordRuleText = '密码须为10-64位，且包含大写字母、小写字母、数字、符号中的至少三类'

const common = [
  'password',
  'qwerty',
  '1234567',
  'abcdefg',
  'iloveyou',
  'admin123',
  'letmein',
  'welcome',
  'wattdeck',
  '1qaz2wsx',
]
const classes = [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z\d\s]/]

export const passwordClasses = (password: string) => classes.filter((pattern) => pattern.test(password)).length

/** The message to show for a new password, or undefined when it is acceptable. */
export function passwordProblem(password: string, loginName = ''): string | undefined {
  const { minLength, maxLength, minClasses } = passwordPolicy
  if (password.length < minLength || password.length > maxLength || passwordClasses(password) < minClasses)
    return passwordRuleText
  const plain = password.toLowerCase()
  if (common.some((word) => plain.includes(word)) || /(.)\1{4}/.test(plain)) return '密码过于常见，请更换'
  if (loginName.length >= 3 && plain.includes(loginName.toLowerCase())) return '密码不能包含登录账号'
  return undefined
}

/** From 0 to 4, for the strength bar. */
export function passwordStrength(password: string): number {
  if (password === '') return 0
  if (passwordProblem(password) !== undefined) return 1
  return Math.min(4, 2 + (password.length >= 14 ? 1 : 0) + (passwordClasses(password) === 4 ? 1 : 0))
}

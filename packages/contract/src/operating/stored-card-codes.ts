import { codes } from '../kit/codes.ts'

/** A lost card can be restored; a cancelled card cannot. */
export const storedCardStatus = codes({
  normal: { code: 0, label: '正常', tone: 'ok' },
  lost: { code: 1, label: '挂失', tone: 'warn' },
  cancelled: { code: 2, label: '注销', tone: 'off' },
})

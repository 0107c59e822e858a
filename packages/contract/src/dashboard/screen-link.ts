import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { secretive } from '../kit/privacy.ts'
import type { DataOf } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, row, text, time, whole } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { codePart } from '../product/catalogue.ts'
import { regionFields } from '../system/region.ts'

/** The signed claims in the token of a link. The holder can read them; only the server can sign them. */
export type ScreenClaims = z.infer<typeof ScreenClaims>
export const ScreenClaims = row({
  organiseId: id,
  /** Unix time in seconds. */
  expires: z.int(),
  title: z.string(),
  deviceFirstClass: z.string().optional(),
  province: z.string().optional(),
  city: z.string().optional(),
  district: z.string().optional(),
  nonce: z.string(),
})

/** Decodes the claims of a link for display, without verifying the signature. Only the server verifies it. */
export function claimsOf(token: string): ScreenClaims | undefined {
  try {
    const binary = atob((token.split('.')[0] ?? '').replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (letter) => letter.codePointAt(0) ?? 0)
    return ScreenClaims.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data
  } catch {
    return undefined
  }
}

/** The scheme of the Authorization header that carries such a token. */
export const screenScheme = 'Screen'

export const screenLinkStatus = codes({
  live: { code: 1, label: '有效', tone: 'ok' },
  expired: { code: 2, label: '已过期', tone: 'off' },
  revoked: { code: 3, label: '已撤销', tone: 'bad' },
})
/** Maximum valid links of one organisation, and longest validity in days. */
export const screenLinkMost = { live: 50, days: 365 }

const menu = menuKey.screenLink
const module = '数据大屏'
const { change, remove } = screenRoutes({ menu, module })

export const screenLinkList = defineList('/seeker/api/screenLink', {
  menu,
  module,
  fields: {
    name: f.shown('名称', { width: 200 }),
    status: f.code('状态', screenLinkStatus, { width: 90 }),
    organiseName: f.shown('所属机构', { width: 180, object: { kind: 'organise', id: 'organiseId' } }),
    organiseId: f.ownerIds.organiseId,
    firstClassName: f.shown('设备大类', {
      optional: true,
      width: 120,
      about: 'only devices of this class; null: all',
    }),
    regionName: f.shown('区域', { optional: true, about: 'only this region; null: all' }),
    expiresAt: f.time('有效期至', { width: 175 }),
    lastUsedAt: f.time('最近使用', { optional: true, width: 120 }),
    createdBy: f.shown('创建人', { optional: true, width: 100 }),
    createdAt: f.time('创建时间', { width: 175 }),
    revokedBy: f.shown('撤销人', { optional: true, width: 100 }),
  },
  decided: [
    ['name', 'createdBy'],
    ['status'],
    ['organiseName'],
    ['firstClassName', 'regionName'],
    ['expiresAt', 'createdAt'],
    ['lastUsedAt', 'revokedBy'],
  ],
  filter: { keyword: { label: '名称', contains: ['name'] }, owner: ['organise'], exact: ['status'] },
})
export type ScreenLink = DataOf<typeof screenLinkList.routes.list>['rows'][number]

export const screenLink = {
  ...screenLinkList.routes,
  /** Not idempotent: a replayed reply would require storing the token, which is never stored. */
  add: change(
    '/seeker/api/screenLink/save',
    '生成大屏链接',
    {
      name: text(40, '名称'),
      organiseId: id.optional().describe('the caller’s own if omitted'),
      days: whole(1, screenLinkMost.days).describe('validity'),
      deviceFirstClass: codePart('设备大类').optional(),
      ...regionFields,
    },
    {
      action: 'add',
      data: row({ id: z.string(), token: secretive(z.string()).describe('shown once'), expiresAt: time }),
    },
  ),
  revoke: remove('/seeker/api/screenLink/revoke', '撤销大屏链接'),
}

import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import type { Action } from '../kit/route.ts'

/** Shared parts of the product catalogue. All organisations read it; only platform staff change it. */
export const byPlatform = (menu: string, action: Action) => ({ menu, action, platform: true }) as const

/** Codes of protocols and instruction sets, such as XY-2-V10. */
export const catalogueCode = (label: string) =>
  z.string().regex(/^[A-Z\d][A-Z\d-]{1,29}$/, `${label}为2-30位大写字母、数字或短横线`)

/** Two digits: one part of the code of a category or of a device type. */
export const codePart = (label: string) => z.string().regex(/^\d{2}$/, `${label}为2位数字`)

/** A form option from a list that is loaded completely. */
export const choice = { id: z.string(), code: z.string(), name: z.string() }

/** Up is from a device, down is to it. */
export const direction = codes({
  up: { code: 1, label: '上行' },
  down: { code: 2, label: '下行' },
})

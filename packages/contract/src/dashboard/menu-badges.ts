import { z } from 'zod'
import { get } from '../kit/route.ts'
import { row } from '../kit/wire.ts'

export type MenuBadge = z.infer<typeof MenuBadge>
export const MenuBadge = row({
  menu: z.string().describe('key of a menu that the caller holds'),
  count: z.int(),
  more: z.boolean().describe('the actual number exceeds count'),
})

/** The number of waiting items behind each menu, counted like the to-do card of the work table. */
export const menuBadges = {
  list: get('/seeker/api/menuBadges', { access: 'anyone', data: z.array(MenuBadge) }),
}

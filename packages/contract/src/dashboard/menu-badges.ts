import { z } from 'zod'
import { get } from '../kit/route.ts'
import { row } from '../kit/wire.ts'

export type MenuBadge = z.infer<typeof MenuBadge>
export const MenuBadge = row({
  menu: z.string().describe('the key of a menu that the reader holds'),
  count: z.int(),
  more: z.boolean().describe('there are more than were counted'),
})

/** How much waits behind each menu of work, as the to-do card of the work table counts it. */
export const menuBadges = {
  list: get('/seeker/api/menuBadges', { access: 'anyone', data: z.array(MenuBadge) }),
}

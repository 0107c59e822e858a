import { type Site, site } from '@wattdeck/contract/system/site.ts'
import { siteDetail } from '@wattdeck/contract/system/site-detail.ts'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { toggleOf } from '../../../kit/list/enabled-toggle.ts'
import type { RowAction } from '../../../kit/list/RowActions.tsx'

/** The routes to refetch after a change of a site. */
export const siteRoutes = [site.list, site.totals, siteDetail.read]

/** The action 启用 or 停用, depending on the status. */
export function useSiteToggle(): (row: Site) => RowAction {
  const toggle = useConfirmedSubmit(site.toggle, { refresh: siteRoutes })
  return ({ id, name, status: now }) => {
    const { label, question, status } = toggleOf(now, `站点「${name}」`, '停用后用户将看不到该站点')
    return { label, route: site.toggle, onClick: () => toggle(question, { body: { ids: [id], status } }) }
  }
}

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The axe violations of a page: each rule with its first places. */
export async function findViolations(page: Page, rules: 'all' | 'contrast' = 'all'): Promise<string[]> {
  // Axe measures no contrast below the watermark, which covers everything.
  await page.addStyleTag({ content: '.page-mark { display: none }' })
  // Without foreign frames axe needs no second page to merge results, which takes longer than the rules.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  const { violations } = await (rules === 'all' ? axe.withTags(everyRule) : axe.withRules('color-contrast')).analyze()
  return violations.map(({ id, nodes }) => {
    const places = nodes.slice(0, 3).map((node) => node.html.slice(0, 160))
    return `${id}: ${places.join(' | ')}`
  })
}

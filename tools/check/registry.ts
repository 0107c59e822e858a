import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Routes } from '@wattdeck/contract/kit/route.ts'
import { menus } from '@wattdeck/contract/menu-keys.ts'

/**
 * `npm run registry` writes the lists of features and screens from the existing files, so that a new feature needs no
 * manual entries. `-- --verify` reports where a list differs from its files.
 *
 * A feature `supplier` has the contract `<centre>/supplier.ts`, which exports its routes as `supplier` or its list of
 * records as `supplierCrud`; on the server `features/<centre>/supplier/supplier.routes.ts`, which exports
 * `supplierFeature`; and in the console a page `supplier.page.tsx` somewhere in `features/<centre>`, with a menu
 * `supplier` in menu-keys.ts.
 */
const contractSource = 'packages/contract/src'
const serverSource = 'apps/server/src'
const consoleSource = 'apps/console/src'
const head = '// Written by `npm run registry`.\n'

const camel = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const lines = (all: readonly string[]) => all.join('\n')

const isRoutes = (value: unknown): value is Routes =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).length > 0 &&
  Object.values(value).every(
    (one: unknown) => typeof one === 'object' && one !== null && 'path' in one && 'method' in one,
  )
const isCrud = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'addForm' in value && 'routes' in value && isRoutes(value.routes)

/** Routes by feature, and the plain lists of records among them. */
async function contractText(): Promise<string> {
  const imports: string[] = []
  const features: string[] = []
  const cruds: string[] = []
  for (const path of globSync(`${contractSource}/*/*.ts`).toSorted()) {
    const [centre = '', file = ''] = path.split('/').slice(-2)
    if (centre === 'kit' || file.endsWith('.test.ts')) continue
    const name = camel(basename(file, '.ts'))
    const module = (await import(`../../${path}`)) as Record<string, unknown>
    const hasRoutes = isRoutes(module[name])
    const hasCrud = isCrud(module[`${name}Crud`])
    if (!hasRoutes && !hasCrud) continue
    const names = [...(hasRoutes ? [name] : []), ...(hasCrud ? [`${name}Crud`] : [])]
    imports.push(`import { ${names.join(', ')} } from './${centre}/${file}'`)
    features.push(hasRoutes ? `  ${name},` : `  ${name}: ${name}Crud.routes,`)
    if (hasCrud) cruds.push(`  ${name}: ${name}Crud,`)
  }
  return `${head}${lines(imports)}

/** Routes, by feature. */
export const features = {
${lines(features)}
}

/** Plain lists of records, by feature. */
export const cruds = {
${lines(cruds)}
}
`
}

/**
 * The features of the server. A feature that needs more than the common dependencies exports none; the api names it.
 */
function serverText(): string {
  const files = globSync(`${serverSource}/features/*/*/*.routes.ts`).toSorted()
  const found = files
    .map((path) => ({ path, name: `${camel(basename(path, '.routes.ts'))}Feature` }))
    .filter(({ path, name }) => readFileSync(path, 'utf8').includes(`export const ${name} =`))
  return `${head}import type { Feature } from '../kit/http/feature.ts'
${lines(found.map(({ path, name }) => `import { ${name} } from '..${path.slice(serverSource.length)}'`))}

export const features: readonly Feature[] = [
${lines(found.map(({ name }) => `  ${name},`))}
]
`
}

/** The screens with their own menu. */
function consoleText(): string {
  const pages = new Map(
    globSync(`${consoleSource}/features/**/*.page.tsx`).map((path) => [basename(path, '.page.tsx'), path]),
  )
  const screens = Object.entries(menus).flatMap(([name, menu]) => {
    const page = 'route' in menu ? pages.get(kebab(name)) : undefined
    return page === undefined
      ? []
      : [`  menuScreen('${name}', () => import('.${page.slice(`${consoleSource}/features`.length)}')),`]
  })
  return `${head}import { menuScreen, type Screen } from '../kit/routing/screen.ts'

export const menuScreens: Screen[] = [
${lines(screens)}
]
`
}

const files = {
  [`${contractSource}/features.gen.ts`]: await contractText(),
  [`${serverSource}/app/features.gen.ts`]: serverText(),
  [`${consoleSource}/features/screens.gen.ts`]: consoleText(),
}
const read = (path: string) => (globSync(path).length === 0 ? '' : readFileSync(path, 'utf8'))
const stale = Object.entries(files).filter(([path, text]) => read(path) !== text)
if (process.argv.includes('--verify')) {
  for (const [path] of stale) console.log(`${path} differs from the files beside ${dirname(path)}: npm run registry`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else for (const [path, text] of stale) writeFileSync(path, text)
console.log(
  `registry: ${stale.length} of ${Object.keys(files).length} lists ${process.argv.includes('--verify') ? 'differ' : 'written'}`,
)

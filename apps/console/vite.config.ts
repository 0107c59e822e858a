import { env } from 'node:process'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { mapFiles } from './map-files.ts'
import { pagePolicy, policyText } from '@wattdeck/domain/page-policy.ts'

const api = env['API_URL'] ?? 'http://127.0.0.1:3000'

type Lean = { importer: RegExp; parts: Record<string, string> }
/** Parts that antd imports and this console does not use, each with its replacement. */
const unused: readonly Lean[] = [
  {
    // Filters are in the FilterBar, so a Table needs no menu, tree, radio buttons or selection menu: 35 kB gzip of the first list.
    importer: /\/antd\/es\/table\//,
    parts: {
      './FilterDropdown': 'export const flattenKeys = () => []; export default () => null',
      '../../dropdown': 'export default ({ children }) => children',
      '../../radio': 'export default () => null',
      '../spin': 'export default ({ children }) => children',
      // Our pagination is separate from the Table, and loads after the rows.
      '../pagination': 'export default () => null',
      // The Table needs four functions of the tree, not the tree.
      '@rc-component/tree': `export const arrDel = (list, value) => list.filter((one) => one !== value)
       export const arrAdd = (list, value) => (list.includes(value) ? [...list] : [...list, value])
       export { conductCheck } from '@rc-component/tree/es/utils/conductUtil'
       export { convertDataToEntities } from '@rc-component/tree/es/utils/treeUtil'`,
    },
  },
  {
    // A Button imports the whole colour picker only to test whether a colour is bright.
    importer: /\/antd\/es\/button\/style\/token/,
    parts: {
      '../../color-picker/color': `export { FastColor as AggregationColor } from '@ant-design/fast-color'`,
      '../../color-picker/components/ColorPresets': `export function isBright(colour, ground) {
         const { r, g, b, a } = colour.toRgb()
         if (a <= 0.5) return colour.onBackground(ground).toHsv().v > 0.5
         return r * 0.299 + g * 0.587 + b * 0.114 > 192
       }`,
    },
  },
]

function leanAntd(): Plugin {
  const texts = new Map(unused.flatMap(({ parts }) => Object.entries(parts)))
  const found = new Set<string>()
  return {
    name: 'lean-antd',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (!unused.some((lean) => source in lean.parts && lean.importer.test(importer))) return null
      found.add(source)
      return `\0lean-antd:${source}`
    },
    load: (id) => (id.startsWith('\0lean-antd:') ? (texts.get(id.slice('\0lean-antd:'.length)) ?? null) : null),
    buildEnd(error) {
      if (!error && found.size > 0 && found.size < texts.size)
        this.error('antd has moved parts of itself: look at leanAntd in vite.config.ts')
    },
  }
}

/** Puts the CSP into the page, so that it applies on any web server; frame-ancestors works in a header only, see deploy/nginx.conf. */
function policyInPage(): Plugin {
  const reportAddress = env['VITE_SENTRY_DSN'] ?? ''
  const content = policyText(pagePolicy(reportAddress === '' ? '' : new URL(reportAddress).origin))
  return {
    name: 'policy-in-page',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content }, injectTo: 'head-prepend' },
    ],
  }
}

export default defineConfig({
  plugins: [react(), leanAntd(), mapFiles(), policyInPage()],
  server: {
    host: '127.0.0.1',
    port: Number(env['CONSOLE_PORT'] ?? 5173),
    strictPort: true,
    proxy: Object.fromEntries(['seeker', 'order', 'wechat', 'open'].map((name) => [`/${name}/api`, api])),
  },
  build: {
    manifest: true,
    rolldownOptions: {
      output: {
        // Short names, because the frame contains the name of every file to preload the files of a page.
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\// },
            // Parts of the kit that every page needs load with the frame.
            {
              name: 'kit',
              test: /src\/kit\/[\w-]+\/(api|cells|error-handling|ObjectLink|PageFrame|printing|queries|StatusTag|tab-titles|use-confirm|use-submit|zod-rule)\b/,
            },
            // Small parts of nearly every list: one file costs less than one file each.
            {
              name: 'rows',
              test: /src\/kit\/[\w-]+\/(audit-columns|Can|enabled-toggle|owner-columns|use-owner|use-return-focus)\b/,
            },
            // A page with any field needs nearly all of these.
            {
              name: 'fields',
              test: /antd\/es\/(?:input\/(?:Input|style|hooks)|form\/hooks\/useVariants|_util\/statusUtils)/,
            },
            // Icons of the frame and of nearly every list: a file for each icon costs more than the icon.
            {
              name: 'icons',
              test: /@ant-design\/icons(?:-svg)?\/.*\/(?:Setting|Menu|User|Search|Check|Down|Up|Close|Left|Right|Bell|Plus|Reload)Outlined\b/,
            },
            // The base of every feature's contract; the contracts themselves load with the pages that call them.
            {
              name: 'contract',
              test: /node_modules\/zod\/|packages\/contract\/src\/(kit\/(?!crud|fields|list\.ts|offered-codes|view-problem)|common|menu-keys)/,
            },
            // Only pages of lists that are declared by their fields need this.
            { name: 'declared-lists', test: /packages\/contract\/src\/kit\/(?:crud|fields|list)\.ts/ },
          ],
        },
      },
    },
  },
})

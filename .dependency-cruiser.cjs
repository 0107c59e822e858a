// Who may know whom. Read 'a ← b' as: b may import a, never the other way round.
const server = '^apps/server/src'
const web = '^apps/console/src'
/** @type {(name: string, from: object, to: object) => object} */
const never = (name, from, to) => ({ name, severity: 'error', from, to })

module.exports = {
  forbidden: [
    // A cycle of types only is gone before anything runs.
    never('no-cycles', {}, { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }),
    never('resolvable', {}, { couldNotResolve: true }),

    // domain ← contract ← apps; domain ← device-protocol ← apps without a browser
    never('domain-is-pure', { path: '^packages/domain/src' }, { pathNot: '^packages/domain/src' }),
    never(
      'contract-knows-domain-and-zod',
      { path: '^packages/contract/src' },
      { pathNot: ['^packages/(contract|domain)/src', '^node_modules/zod/'] },
    ),
    never(
      'device-protocol-is-pure',
      { path: '^packages/device-protocol/src' },
      { pathNot: '^packages/(device-protocol|domain)/src' },
    ),
    never(
      'console-speaks-to-no-device',
      { path: ['^apps/console/', '^packages/contract/'] },
      { path: '^packages/device-protocol/' },
    ),
    never('packages-know-no-app', { path: '^packages/' }, { path: '^(apps|e2e|bench|tools)/' }),
    // A test may start another app beside its own: that is how they meet in production.
    never(
      'apps-stay-apart',
      { path: '^apps/([^/]+)/', pathNot: ['[.]test[.]ts$', '^apps/[^/]+/test/'] },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    never(
      'apps-run-without-tools',
      { path: '^apps/[^/]+/src/', pathNot: '[.]test[.]' },
      { path: '^(tools|bench|e2e)/' },
    ),

    // server: kit ← ledger, pay ← centres ← main
    never('server-kit-is-lowest', { path: `${server}/kit/` }, { path: `${server}/`, pathNot: `${server}/kit/` }),
    never(
      'money-knows-no-centre',
      { path: `${server}/(ledger|pay)/` },
      { path: `${server}/`, pathNot: `${server}/(kit|ledger|pay)/` },
    ),
    never(
      'nobody-imports-the-top',
      { path: `${server}/[^/]+/`, pathNot: '[.]test[.]' },
      { path: `${server}/[^/]+[.]ts$` },
    ),
    never('nobody-imports-main', {}, { path: `${server}/main[.]` }),
    never(
      'features-stay-apart',
      { path: `${server}/(?!kit/|ledger/|pay/)([^/]+)/([^/]+)/` },
      { path: `${server}/(?!kit/|ledger/|pay/)[^/]+/[^/]+/`, pathNot: `${server}/$1/$2/` },
    ),
    never(
      'system-scope-is-guarded',
      { path: '.', pathNot: [`${server}/(kit|session)/`, `${server}/main[.]`, `${server}/.*[.]jobs[.]ts$`] },
      { path: `${server}/kit/system-scope[.]ts$` },
    ),

    // console: kit ← centres ← shell
    never('console-kit-is-lowest', { path: `${web}/kit/` }, { path: `${web}/`, pathNot: `${web}/kit/` }),
    never(
      'centres-know-the-kit-only',
      { path: `${web}/(?!kit/|shell/)([^/]+)/` },
      { path: `${web}/`, pathNot: `${web}/(kit|$1)/` },
    ),
    never(
      'shell-knows-route-tables-only',
      { path: `${web}/shell/` },
      { path: `${web}/`, pathNot: [`${web}/(kit|shell)/`, `${web}/[^/]+/routes[.]ts$`] },
    ),
    never('pages-stay-apart', { path: `${web}/.+[.]page[.]tsx$` }, { path: `${web}/.+[.]page[.]tsx$` }),
    never(
      'console-has-no-server',
      { path: '^apps/console/' },
      { path: '(^|/)node_modules/(@fastify|fastify|pg|kysely)/' },
    ),
  ],
  options: {
    // Without swc it would read no TypeScript at all with TypeScript 7, and pass.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // Ours only: a pattern that matches node_modules/x/dist would hide the import of x.
    exclude: { path: '^(apps|packages)/[^/]+/(dist|coverage)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css'],
    },
  },
}

// Who may know whom. Read 'a ← b' as: b may import a, never the other way round.
const server = '^apps/server/src'
const web = '^apps/console/src'
/** @type {(name: string, from: object, to: object) => object} */
const never = (name, from, to) => ({ name, severity: 'error', from, to })

module.exports = {
  forbidden: [
    never('no-cycles', {}, { circular: true }),
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

    // server: kit ← integrations ← core ← features ← app ← main; kit ← core ← seed
    never('server-kit-is-lowest', { path: `${server}/kit/` }, { path: `${server}/`, pathNot: `${server}/kit/` }),
    never(
      'integrations-know-the-kit-only',
      { path: `${server}/integrations/`, pathNot: '[.]test[.]' },
      { path: `${server}/`, pathNot: `${server}/(kit|integrations)/` },
    ),
    // A part of core knows itself and those before it.
    ...[
      ['ledger'],
      ['payments', 'ledger'],
      ['refunds', 'ledger', 'payments'],
      ['devices'],
      ['tariffs', 'devices'],
      ['charging', 'ledger', 'devices', 'tariffs'],
      ['statistics'],
    ].map(([part, ...before]) =>
      never(
        `core-${part}-knows-${before.join('-') || 'the-kit'}`,
        { path: `${server}/core/${part}/`, pathNot: '[.]test[.]' },
        { path: `${server}/`, pathNot: `${server}/(kit|integrations|core/(${[part, ...before].join('|')}))/` },
      ),
    ),
    never(
      'features-know-no-app',
      { path: `${server}/(features|seed)/`, pathNot: '[.]test[.]' },
      { path: `${server}/(app/|[^/]+[.]ts$)` },
    ),
    never('nobody-imports-main', {}, { path: `${server}/main[.]` }),
    never(
      'features-stay-apart',
      { path: `${server}/features/([^/]+)/([^/]+)/`, pathNot: `${server}/features/[^/]+/_shared/` },
      { path: `${server}/features/`, pathNot: [`${server}/features/$1/$2/`, `${server}/features/($1/)?_shared/`] },
    ),
    never(
      'shared-parts-know-no-feature',
      { path: `${server}/features/([^/]+)/_shared/`, pathNot: '[.]test[.]' },
      { path: `${server}/features/`, pathNot: `${server}/features/($1/)?_shared/` },
    ),
    never(
      'parts-shared-by-centres-know-no-centre',
      { path: `${server}/features/_shared/`, pathNot: '[.]test[.]' },
      { path: `${server}/features/`, pathNot: `${server}/features/_shared/` },
    ),
    never(
      'system-scope-is-guarded',
      {
        path: '.',
        pathNot: [`${server}/(kit|features/auth)/`, `${server}/main[.]`, `${server}/.*[.]jobs[.]ts$`],
      },
      { path: `${server}/kit/db/system-scope[.]ts$` },
    ),

    // console: kit ← features ← shell
    never('console-kit-is-lowest', { path: `${web}/kit/` }, { path: `${web}/`, pathNot: `${web}/kit/` }),
    never(
      'centres-know-the-kit-only',
      { path: `${web}/features/([^/]+)/` },
      { path: `${web}/`, pathNot: [`${web}/kit/`, `${web}/features/$1/`] },
    ),
    never(
      'shell-knows-route-tables-only',
      { path: `${web}/shell/` },
      { path: `${web}/`, pathNot: [`${web}/(kit|shell)/`, `${web}/features/(auth/routes|screens)[.]ts$`] },
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

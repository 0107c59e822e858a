import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

// Tests start the real processes many times over; what was compiled for the first start serves the next.
process.env['NODE_COMPILE_CACHE'] ??= new URL('.cache/compiled', import.meta.url).pathname

// Vitest refuses projects of one group with different worker counts; the groups also keep the database tests and the
// browser from fighting over two cores.
/** They measure time under load of their own making, so nothing runs beside them. */
const alone = ['apps/gateway/test/chaos.test.ts', 'apps/server/test/pressure.test.ts']
/** They kill engines of their own and count what is left; how long that takes does not matter. */
const chaos = ['apps/server/test/*.chaos.test.ts']
const ofServers = 'apps/{server,gateway,simulator,sms-sandbox,pay-sandbox}/**/*.test.ts'
/** They wait by the clock for what other processes do. Beside a second file they would wait for that one, too. */
const waiting = globSync(ofServers, {
  cwd: import.meta.dirname,
  exclude: ['**/node_modules/**', ...alone, ...chaos],
}).filter((file) => /\/(?:until|process)\.ts'/.test(readFileSync(new URL(file, import.meta.url), 'utf8')))
const ofServer = {
  environment: 'node',
  globalSetup: 'apps/server/test/global-setup.ts',
  setupFiles: 'apps/server/test/setup.ts',
  pool: 'forks',
  // What must be quick says so itself; these find what hangs. A hook may start several processes; each has 30 s of its own,
  // and says so when it does not come.
  testTimeout: 20_000,
  hookTimeout: 60_000,
} as const
const oneByOne = { maxWorkers: 1, fileParallelism: false } as const
const ofBrowser = {
  environment: 'node',
  globalSetup: 'e2e/global-setup.ts',
  pool: 'forks',
  ...oneByOne,
  testTimeout: 60_000,
  hookTimeout: 60_000,
} as const
const everyPage = 'e2e/open-every-page.test.ts'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['packages/*/test/**/*.test.ts'],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Modules of the console hold the state of one tab, so each of these files gets its own.
        test: {
          name: 'console',
          environment: 'node',
          include: ['apps/console/src/**/*.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...ofServer,
          name: 'server',
          include: [ofServers],
          exclude: [...alone, ...chaos, ...waiting],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...ofServer,
          ...oneByOne,
          name: 'waiting',
          include: waiting,
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...ofServer,
          ...oneByOne,
          name: 'alone',
          include: alone,
          sequence: { groupOrder: 3 },
        },
      },
      { test: { ...ofServer, ...oneByOne, name: 'chaos', include: chaos, sequence: { groupOrder: 4 } } },
      {
        test: {
          ...ofBrowser,
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: [everyPage],
          sequence: { groupOrder: 5 },
        },
      },
      { test: { ...ofBrowser, name: 'pages', include: [everyPage], sequence: { groupOrder: 6 } } },
    ],
  },
})

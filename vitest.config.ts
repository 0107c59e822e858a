import { defineConfig } from 'vitest/config'

// Tests start the real processes many times over; what was compiled for the first start serves the next.
process.env['NODE_COMPILE_CACHE'] ??= new URL('.cache/compiled', import.meta.url).pathname

// Vitest refuses projects of one group with different worker counts; the groups also keep the database tests and the
// browser from fighting over two cores.
/** They measure time under load of their own making, so nothing runs beside them. */
const alone = [
  'apps/gateway/test/chaos.test.ts',
  'apps/server/test/*.chaos.test.ts',
  'apps/server/test/pressure.test.ts',
]

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
          name: 'server',
          environment: 'node',
          include: ['apps/{server,gateway,simulator,sms-sandbox}/**/*.test.ts'],
          exclude: alone,
          globalSetup: 'apps/server/test/global-setup.ts',
          setupFiles: ['apps/server/test/setup.ts'],
          pool: 'forks',
          isolate: false,
          maxWorkers: 2,
          // A hook may start several processes; each has 30 s of its own, and says so when it does not come.
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'alone',
          environment: 'node',
          include: alone,
          globalSetup: 'apps/server/test/global-setup.ts',
          setupFiles: ['apps/server/test/setup.ts'],
          pool: 'forks',
          maxWorkers: 1,
          fileParallelism: false,
          testTimeout: 20_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['e2e/**/*.test.ts'],
          globalSetup: 'e2e/global-setup.ts',
          pool: 'forks',
          maxWorkers: 1,
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})

import { defineConfig } from 'vitest/config'
import { readSelection, selectionEnv } from './tools/check/tier.ts'

// Tests start the real processes many times; the compile cache of the first start serves the next.
process.env['NODE_COMPILE_CACHE'] ??= new URL('.cache/compiled', import.meta.url).pathname
// Every process of a run uses the same sample.
const selection = readSelection()
Object.assign(process.env, selectionEnv(selection))

/** These limits find hangs. No test asserts a duration; tests take longer at full size. */
const hangMs = selection.tier === 'full' ? 900_000 : 120_000
const hangs = {
  testTimeout: 1.5 * hangMs,
  hookTimeout: 1.5 * hangMs,
  expect: { poll: { timeout: hangMs, interval: 25 } },
} as const
const seedProperties = 'tools/check/seed-properties.ts'
/** Runs of a bench at gate size: they kill their own processes and engines and compare the remaining data. */
const chaos = ['apps/*/test/**/*.chaos.test.ts']
const everyPage = 'e2e/open-every-page.test.ts'

const onServices = {
  environment: 'node',
  globalSetup: 'apps/server/test/harness/global-setup.ts',
  setupFiles: ['apps/server/test/harness/setup.ts', seedProperties] as string[],
  pool: 'forks',
  ...hangs,
} as const
const inBrowser = {
  environment: 'node',
  globalSetup: 'e2e/global-setup.ts',
  pool: 'forks',
  isolate: false,
  maxWorkers: 2,
  ...hangs,
} as const

// Vitest refuses projects of one group with different worker counts.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...hangs,
          name: 'unit',
          environment: 'node',
          include: ['packages/*/test/**/*.test.ts', 'tools/**/*.test.ts'],
          setupFiles: [seedProperties],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Modules of the console hold the state of one tab, so each file loads its own.
        test: {
          ...hangs,
          name: 'console',
          environment: 'node',
          // Cheaper than a process for each file.
          pool: 'threads',
          include: ['apps/console/src/**/*.test.ts'],
          setupFiles: [seedProperties],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...onServices,
          name: 'server',
          include: ['apps/{server,gateway,simulator,sms-sandbox,pay-sandbox}/**/*.test.ts'],
          exclude: chaos,
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          environment: 'node',
          pool: 'forks',
          ...hangs,
          name: 'chaos',
          include: chaos,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...inBrowser,
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: [everyPage],
          sequence: { groupOrder: 4 },
        },
      },
      // Before the journeys, which leave rows behind.
      { test: { ...inBrowser, name: 'pages', include: [everyPage], sequence: { groupOrder: 3 } } },
    ],
  },
})

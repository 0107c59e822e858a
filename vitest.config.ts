import { defineConfig } from 'vitest/config'

// Vitest refuses projects of one group with different worker counts; the groups also keep the database tests and the
// browser from fighting over two cores.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['packages/*/test/**/*.test.ts', 'apps/console/src/**/*.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'server',
          environment: 'node',
          include: ['apps/{server,gateway,simulator,sms-sandbox}/**/*.test.ts'],
          exclude: ['apps/gateway/test/chaos.test.ts', 'apps/server/test/*.chaos.test.ts'],
          globalSetup: 'apps/server/test/global-setup.ts',
          setupFiles: ['apps/server/test/setup.ts'],
          pool: 'forks',
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'chaos',
          environment: 'node',
          include: ['apps/gateway/test/chaos.test.ts', 'apps/server/test/*.chaos.test.ts'],
          pool: 'forks',
          maxWorkers: 1,
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

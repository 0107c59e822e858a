import type { TestProject } from 'vitest/node'
import { runName } from '../apps/server/test/harness/names.ts'
import { dropDatabase } from '../tools/ops/database.ts'
import { buildDemoDatabase, type InstallationAddress, startInstallation } from './installation.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** One per worker; `VITEST_POOL_ID` counts from 1. */
    installations: InstallationAddress[]
  }
}

const template = `${runName}_e2e_template`

/** Two projects of one run share the installations. Vitest loads this file once for each, so the state is global. */
const shared = globalThis as { e2eInstallations?: ReturnType<typeof startAll> }

async function startAll(count: number) {
  await buildDemoDatabase(template)
  const installations: Awaited<ReturnType<typeof startInstallation>>[] = []
  // Sequentially: each starts two processes, as many as a small machine has processors.
  for (let worker = 1; worker <= count; worker++)
    installations.push(await startInstallation(`${runName}_e2e_${worker}`, template))
  return {
    addresses: installations.map(({ address }) => address),
    stop: async () => {
      await Promise.all(installations.map(({ stop }) => stop()))
      await dropDatabase(template)
    },
  }
}

export default async function setup(project: TestProject) {
  const isFirst = shared.e2eInstallations === undefined
  shared.e2eInstallations ??= startAll(project.config.maxWorkers)
  const { addresses, stop } = await shared.e2eInstallations
  project.provide('installations', addresses)
  return isFirst ? stop : undefined
}

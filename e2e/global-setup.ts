import type { TestProject } from 'vitest/node'
import { runName } from '../apps/server/test/names.ts'
import { startInstallation } from './installation.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    url: string
    inbox: string
    alipay: string
    till: string
    database: string
  }
}

export default async function setup(project: TestProject) {
  const database = `${runName}_e2e`
  const installation = await startInstallation(database)
  project.provide('url', installation.url)
  project.provide('inbox', installation.inbox)
  project.provide('alipay', installation.alipay)
  project.provide('till', installation.till)
  project.provide('database', database)
  return installation.stop
}

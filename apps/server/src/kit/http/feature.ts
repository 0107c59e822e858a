import type { Routes } from '@wattdeck/contract/kit/route.ts'
import type { FastifyInstance } from 'fastify'
import type { BatchKind } from '../bulk/batch-kind.ts'
import type { ListExport } from '../bulk/exports.ts'
import type { Handlers } from './handlers.ts'
import { type Deps, implement } from './http.ts'

/** What the server has of one feature. */
export type Feature = {
  implement: (app: FastifyInstance, deps: Deps) => void
  /** Lists that can be written to a file. */
  exports: readonly ListExport[]
  /** What is done to many rows. */
  batchKinds: readonly BatchKind[]
}

/** The handlers of a feature's routes, and what api and worker need of it besides. */
export const defineFeature = <R extends Routes>(
  routes: R,
  handlers: Handlers<R> | ((deps: Deps) => Handlers<R>),
  { exports = [], batchKinds = [] }: Partial<Omit<Feature, 'implement'>> = {},
): Feature => ({
  implement: (app, deps) => implement(app, deps, routes, typeof handlers === 'function' ? handlers(deps) : handlers),
  exports,
  batchKinds,
})

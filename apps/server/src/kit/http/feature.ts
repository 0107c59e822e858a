import type { Routes } from '@wattdeck/contract/kit/route.ts'
import type { FastifyInstance } from 'fastify'
import type { BatchKind } from '../bulk/batch-kind.ts'
import type { ListExport } from '../bulk/exports.ts'
import type { Handlers } from './handlers.ts'
import { type Deps, implement } from './http.ts'

/** The server side of a feature. */
export type Feature = {
  implement: (app: FastifyInstance, deps: Deps) => void
  /** Lists that can be exported. */
  exports: readonly ListExport[]
  /** Batch operations on many rows. */
  batchKinds: readonly BatchKind[]
}

/** Combines the handlers of a feature's routes with its exports and batch operations for the api and the worker. */
export const defineFeature = <R extends Routes>(
  routes: R,
  handlers: Handlers<R> | ((deps: Deps) => Handlers<R>),
  { exports = [], batchKinds = [] }: Partial<Omit<Feature, 'implement'>> = {},
): Feature => ({
  implement: (app, deps) => implement(app, deps, routes, typeof handlers === 'function' ? handlers(deps) : handlers),
  exports,
  batchKinds,
})

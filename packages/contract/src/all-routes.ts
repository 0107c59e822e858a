import { features as written } from './features.gen.ts'
import type { AnyRoute, Routes } from './kit/route.ts'

/** The whole API, by feature. The server implements exactly this, tests loop over it, the OpenAPI document is made of it. */
export const features = written satisfies Record<string, Routes>

type NamedRoute = { feature: string; name: string; route: AnyRoute }
export const allRoutes: NamedRoute[] = Object.entries(features as Record<string, Routes>).flatMap(([feature, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ feature, name, route })),
)

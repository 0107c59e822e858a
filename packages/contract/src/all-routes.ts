import { features as written } from './features.gen.ts'
import type { AnyRoute, Routes } from './kit/route.ts'

/** The whole API, by feature: the source of the server's routes, of the route tests and of the OpenAPI document. */
export const features = written satisfies Record<string, Routes>

type NamedRoute = { feature: string; name: string; route: AnyRoute }
export const allRoutes: NamedRoute[] = Object.entries(features as Record<string, Routes>).flatMap(([feature, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ feature, name, route })),
)

import { createServer, type Server } from 'node:http'
import { collectDefaultMetrics, register } from 'prom-client'
import { stuckLoops } from './loop-watch.ts'

collectDefaultMetrics()

/** Serves health, readiness and metrics of a process on a separate port that is not public. */
export function startAdminServer(
  port: number,
  host: string,
  ready: () => Promise<Record<string, boolean>>,
  /** Optional dependencies: reported with the others, but without effect on readiness. */
  beside: () => Promise<Record<string, boolean>> = () => Promise.resolve({}),
): Promise<Server> {
  const server = createServer((request, response) => {
    void respond(request.url ?? '/').then(({ status, type, body }) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    )
  })
  async function respond(path: string) {
    const json = 'application/json'
    if (path === '/health') {
      // The supervisor restarts an unhealthy process, because a hanging loop does not recover by itself.
      const stuck = stuckLoops()
      return {
        status: stuck.length === 0 ? 200 : 503,
        type: json,
        body: JSON.stringify({ alive: stuck.length === 0, stuck }),
      }
    }
    if (path === '/metrics') return { status: 200, type: register.contentType, body: await register.metrics() }
    if (path !== '/ready') return { status: 404, type: json, body: '{}' }
    const [parts, others] = await Promise.all([ready(), beside()])
    const status = Object.values(parts).every(Boolean) ? 200 : 503
    return { status, type: json, body: JSON.stringify({ ...parts, ...others }) }
  }
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

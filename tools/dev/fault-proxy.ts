import { connect, createServer, type Socket } from 'node:net'

/**
 * A proxy to an engine that can go silent, as after a power failure or when a router drops the connection. It then
 * forwards no byte, and neither side is notified.
 */
export type FaultProxy = {
  port: number
  /** Every connection, open or new, forwards nothing from now on. */
  freeze: () => void
  /** New connections work again. Previously open ones stay dead. */
  heal: () => void
  stop: () => Promise<void>
}

type Line = { near: Socket; far: Socket; isDead: boolean }

export async function startFaultProxy(target: number): Promise<FaultProxy> {
  const lines = new Set<Line>()
  let frozen = false
  const server = createServer((near) => {
    const line: Line = { near, far: connect(target, '127.0.0.1'), isDead: frozen }
    const { far } = line
    lines.add(line)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay(true)
      from.on('error', () => undefined)
      from.on('data', (bytes) => {
        if (!line.isDead) to.write(bytes)
      })
      from.on('close', () => {
        if (!line.isDead) to.destroy()
      })
    }
    near.on('close', () => {
      far.destroy()
      lines.delete(line)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    port,
    freeze: () => {
      frozen = true
      for (const line of lines) line.isDead = true
    },
    heal: () => {
      frozen = false
    },
    stop: () =>
      new Promise((resolve) => {
        for (const { near, far } of lines) {
          near.destroy()
          far.destroy()
        }
        server.close(() => resolve())
      }),
  }
}

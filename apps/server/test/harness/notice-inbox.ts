import { createServer } from 'node:http'
import { running } from './api.ts'
import { until } from './until.ts'

export type HeardNotice = { head: Record<string, string | undefined>; body: Buffer }

/** An address that hears what payment providers tell, and keeps the bytes as they came. */
export async function startNoticeInbox(answer: { status: number; body: string }) {
  const heard: HeardNotice[] = []
  const server = createServer((request, reply) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      heard.push({ head: request.headers as HeardNotice['head'], body: Buffer.concat(pieces) })
      reply.writeHead(answer.status).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  running.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/notice`,
    heard,
    /** Takes out what has come, as soon as it is so many. */
    take: async (count: number): Promise<HeardNotice[]> => {
      await until(() => heard.length >= count || undefined)
      return heard.splice(0)
    },
  }
}

import { createServer } from 'node:http'
import { running } from './api.ts'
import { until } from './until.ts'

export type ReceivedNotice = { head: Record<string, string | undefined>; body: Buffer }

/** An endpoint that receives notices of payment providers and stores their raw bytes. */
export async function startNoticeInbox(answer: { status: number; body: string }) {
  const notices: ReceivedNotice[] = []
  const server = createServer((request, reply) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      notices.push({ head: request.headers as ReceivedNotice['head'], body: Buffer.concat(pieces) })
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
    received: notices,
    /** Removes and returns the notices once `count` of them have arrived. */
    take: async (count: number): Promise<ReceivedNotice[]> => {
      await until(() => notices.length >= count || undefined)
      return notices.splice(0)
    },
  }
}

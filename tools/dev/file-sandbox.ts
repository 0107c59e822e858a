import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

/**
 * Speaks the S3 API in development and tests, with the keys S3RVER / S3RVER, and keeps its objects in a directory. For
 * port 0 a free one is taken. Without a directory it keeps them in a temporary one, which goes with it.
 */
export async function startFileSandbox({ port = 0, directory }: { port?: number; directory?: string } = {}) {
  const place = directory ?? mkdtempSync(join(tmpdir(), 'wattdeck-files-'))
  // The bucket is made here, because this server cannot verify the SDK's signature of CreateBucket.
  const buckets = [{ name: process.env['S3_BUCKET'] ?? 'wattdeck' }]
  const options = { address: '127.0.0.1', silent: true, directory: place, configureBuckets: buckets }
  const server = new S3rver({ ...options, port })
  const { port: taken } = await server.run()
  return {
    endpoint: `http://127.0.0.1:${taken}`,
    directory: place,
    stop: async () => {
      server.httpServer.closeAllConnections()
      await server.close()
      if (directory === undefined) rmSync(place, { recursive: true, force: true })
    },
  }
}

if (import.meta.main) {
  const port = Number(process.env['FILE_SANDBOX_PORT'] ?? '3020')
  const { endpoint, directory } = await startFileSandbox({
    port,
    directory: process.env['FILE_SANDBOX_DIR'] ?? join(tmpdir(), 'wattdeck-files'),
  })
  console.log(`objects of ${endpoint} are in ${directory}`)
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

/**
 * Implements the S3 API for development and tests, with the keys S3RVER / S3RVER, and stores its objects in a
 * directory. Port 0 selects a free one. Without a directory it uses a temporary one and deletes it at the end.
 */
export async function startFileSandbox({ port = 0, directory }: { port?: number; directory?: string } = {}) {
  const place = directory ?? mkdtempSync(join(tmpdir(), 'wattdeck-files-'))
  // The server creates the bucket, because it cannot verify the SDK's signature of CreateBucket.
  const buckets = [{ name: process.env['S3_BUCKET'] ?? 'wattdeck' }]
  const options = { address: '127.0.0.1', silent: true, directory: place, configureBuckets: buckets }
  const server = new S3rver({ ...options, port })
  const { port: chosenPort } = await server.run()
  return {
    endpoint: `http://127.0.0.1:${chosenPort}`,
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

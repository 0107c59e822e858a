import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { deviceBus } from '@wattdeck/contract/events/device-bus.ts'
import { startFaultProxy } from '../../tools/dev/fault-proxy.ts'
import { startFileSandbox } from '../../tools/dev/file-sandbox.ts'
import { makeSmallDisk, startOwnNats, startOwnPostgres, startOwnRedis } from '../../tools/dev/local-services.ts'

/** PostgreSQL needs room for its write-ahead log; the rest of the disk is filled by the drill. */
const diskMegabytes = { postgres: 3000, nats: 500 }

/**
 * The engines of an installation, each behind a proxy that can fail, with the failure modes of each. Disks have a
 * limited size only where a drill fills them, because they need root.
 */
export async function startDrillEngines(prefix: string, outageMs: number, drills: readonly string[]) {
  const fills = drills.length === 0 || drills.some((name) => name.endsWith('disk full'))
  const disks = fills && {
    nats: makeSmallDisk(diskMegabytes.nats),
    postgres: makeSmallDisk(diskMegabytes.postgres),
  }
  const [nats, postgres, redis, files] = await Promise.all([
    disks ? startOwnNats(disks.nats.dir) : startOwnNats(),
    disks ? startOwnPostgres('durable', disks.postgres.dir) : startOwnPostgres(),
    startOwnRedis(),
    startFileSandbox(),
  ])
  const lines = {
    nats: await startFaultProxy(nats.port),
    postgres: await startFaultProxy(postgres.port),
    redis: await startFaultProxy(redis.port),
    files: await startFaultProxy(Number(new URL(files.endpoint).port)),
  }
  const freeze = async (line: { freeze: () => void; heal: () => void }) => {
    line.freeze()
    await sleep(outageMs)
    line.heal()
  }
  const down = async (engine: { kill: () => Promise<void>; restart: () => Promise<void> }) => {
    await engine.kill()
    await sleep(outageMs)
    await engine.restart()
  }
  const strikes: Record<string, () => Promise<void>> = {
    'postgres restarted': () => postgres.restart(),
    'postgres gone without a word': () => freeze(lines.postgres),
    'nats killed': () => down(nats),
    'nats wiped': () => nats.wipe(),
    'nats gone without a word': () => freeze(lines.nats),
    'nats hangs': async () => {
      nats.pause()
      await sleep(outageMs)
      nats.resume()
    },
    'device stream deleted': async () => {
      const bus = await connect({ servers: nats.url })
      await (await jetstreamManager(bus)).streams.delete(deviceBus.stream(prefix))
      await bus.close()
    },
    'redis killed': () => down(redis),
    'redis gone without a word': () => freeze(lines.redis),
    'files gone without a word': () => freeze(lines.files),
    ...(disks && {
      'postgres disk full': async () => {
        disks.postgres.fill()
        await sleep(outageMs)
        disks.postgres.free()
        postgres.revive()
      },
      'nats disk full': async () => {
        disks.nats.fill()
        await sleep(outageMs)
        disks.nats.free()
        // JetStream switches itself off when its disk is full, and on again only at a restart.
        await nats.restart()
      },
    }),
  }
  const stop = async () => {
    await Promise.all(Object.values(lines).map((line) => line.stop()))
    await Promise.all([nats.stop(), postgres.stop(), redis.stop(), files.stop()])
    if (disks) for (const disk of [disks.nats, disks.postgres]) disk.remove()
  }
  const through = (url: string) => url.replace(`:${postgres.port}/`, `:${lines.postgres.port}/`)
  const env = {
    NATS_URL: `nats://127.0.0.1:${lines.nats.port}`,
    REDIS_URL: `redis://127.0.0.1:${lines.redis.port}`,
    S3_ENDPOINT: `http://127.0.0.1:${lines.files.port}`,
  }
  return { postgresAt: postgres.at, through, env, strikes, stop }
}

import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'

/** Removes the streams of a run from the bus: every stream whose name begins with its prefix. */
export async function dropStreams(prefix: string): Promise<void> {
  const bus = await connect({ servers: process.env['NATS_URL'] ?? 'nats://127.0.0.1:4222' })
  const manager = await jetstreamManager(bus)
  const name = prefix.replaceAll(/\W/g, '_')
  const names: string[] = []
  for await (const stream of manager.streams.list()) names.push(stream.config.name)
  for (const one of names.filter((own) => own.startsWith(name) || own.startsWith(`KV_${name}`)))
    await manager.streams.delete(one)
  await bus.close()
}

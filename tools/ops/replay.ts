import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { replaySpeed, replayStatus, type ReplayComparison } from '@wattdeck/contract/product/message-replay.ts'
import { readConfig } from '../../apps/server/src/kit/ops/config.ts'
import { createPool } from '../../apps/server/src/kit/db/db.ts'
import { refusalOf } from '../../apps/server/src/kit/http/refusal.ts'
import {
  compareByCommand,
  followByCommand,
  openByCommand,
} from '../../apps/server/src/features/product/message-replay/message-replay.jobs.ts'

/**
 * `npm run replay -- --device NO --from TIME --to TIME --to-device NO [--speed max|1|10|60]`:
 * replays the messages of the first device in this time at the second, which belongs to a test tenant. A worker runs
 * it; this tool requests it, shows its progress, and compares. Exits with 0 when all results are equal, with 2
 * otherwise.
 */
const usage = 'usage: npm run replay -- --device NO --from TIME --to TIME --to-device NO [--speed max|1|10|60]'
const text = { type: 'string', default: '' } as const
const { values } = parseArgs({
  options: { device: text, from: text, to: text, 'to-device': text, speed: { type: 'string', default: 'max' } },
})

/** A time without a zone is in the console's zone. */
const momentOf = (time: string) => Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}+08:00`)
const params = {
  source: { deviceNo: values.device },
  target: { deviceNo: values['to-device'] },
  fromMs: momentOf(values.from.replace(' ', 'T')),
  toMs: momentOf(values.to.replace(' ', 'T')),
  speed: values.speed === 'max' ? replaySpeed.code.max : Number(values.speed),
}
const speeds: readonly number[] = replaySpeed.options.map(({ value }) => value)
if (!values.device || !values['to-device'] || !(params.fromMs < params.toMs) || !speeds.includes(params.speed)) {
  console.error(usage)
  process.exit(1)
}

const pool = createPool(readConfig().workerDatabaseUrl, 2)
try {
  const id = await openByCommand(pool, params)
  await follow(id)
  const compared = await compareByCommand(pool, id)
  if (compared === undefined) throw new Error('no message was replayed')
  process.exitCode = show(compared) ? 0 : 2
} catch (error) {
  const refusal = refusalOf(error)
  if (refusal === undefined) throw error
  console.error(refusal.message)
  process.exitCode = 1
} finally {
  await pool.end()
}

async function follow(id: string): Promise<void> {
  for (let last = ''; ; await sleep(500)) {
    const replay = await followByCommand(pool, id)
    if (replay === undefined) throw new Error('the replay no longer exists')
    const line = `replay ${id}: ${replayStatus.show(replay.status).label} ${replay.done}/${replay.total}`
    if (line !== last) console.log(line)
    last = line
    if (replay.status === replayStatus.code.finished) return
    if (replay.status > replayStatus.code.running) throw new Error(replay.reason ?? 'the replay was cancelled')
  }
}

/** Returns whether everything is equal. */
function show({ messages, events, records, ports, sentCommands: commands }: ReplayComparison): boolean {
  const port = (no: number | null) => (no === null ? '' : ` port ${no}`)
  const lines = [
    ...(messages.taken === messages.sent ? [] : [`messages: ${messages.sent} sent, ${messages.taken} taken in`]),
    ...events.flatMap(({ kind, portNo, detail, before, after }) =>
      before === after ? [] : [`event ${kind}${port(portNo)} ${JSON.stringify(detail)}: ${before} then, ${after} now`],
    ),
    ...records.flatMap(({ same, kind, portNo, before, after }) =>
      same ? [] : [`record ${kind}${port(portNo)}: ${JSON.stringify(before)} then, ${JSON.stringify(after)} now`],
    ),
    ...ports.flatMap(({ portNo, statusBefore, statusAfter }) =>
      statusBefore === statusAfter ? [] : [`port ${portNo}: status ${statusBefore} then, ${statusAfter} now`],
    ),
  ]
  console.log(
    `${messages.taken} messages, ${events.length} kinds of events, ${records.length} records, ${ports.length} ports compared; ${commands.length} commands not said again`,
  )
  console.log(lines.length === 0 ? 'everything came out the same' : lines.join('\n'))
  return lines.length === 0
}

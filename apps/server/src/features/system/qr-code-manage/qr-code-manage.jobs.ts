import { qrBatchFlow } from '@wattdeck/contract/system/qr-code-manage.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import { type CodeSigner, newCodeId } from '../../../kit/crypto/code-signer.ts'
import { type Db, inScope, commit } from '../../../kit/db/db.ts'
import { notify, publishToOrganisation } from '../../../kit/events/outbox.ts'
import { systemScope } from '../../../kit/db/system-scope.ts'

/** Approximate number of codes in one transaction. */
const chunk = 2000

/**
 * Generates the codes of a batch in chunks. After a crash the next worker continues where the last one stopped. The order is logged; the
 * codes themselves would flood the log.
 */
export async function generateCodes(pool: pg.Pool, signer: CodeSigner, batchId: string): Promise<void> {
  for (;;) {
    const goesOn = await inScope(pool, systemScope, 'record', async ({ db }) =>
      commit(await generateSome(db, signer, batchId)),
    )
    if (!goesOn) return
  }
}

type Batch = NonNullable<Awaited<ReturnType<typeof lockBatch>>>
const lockBatch = (db: Db, id: string) =>
  db
    .selectFrom('qr_batch')
    .select(['id', 'organise_id', 'agent_id', 'site_id', 'user_id', 'batch_no', 'prefix', 'units', 'ports', 'total'])
    .select('made')
    .where('id', '=', id)
    .where('status', '=', sql<number>`any(${qrBatchFlow.from('make')})`)
    .forUpdate()
    .executeTakeFirst()

async function generateSome(db: Db, signer: CodeSigner, batchId: string): Promise<boolean> {
  const batch = await lockBatch(db, batchId)
  if (batch === undefined) return false
  if (batch.made === batch.total) {
    await finish(db, batch)
    return false
  }
  const perUnit = Math.max(batch.ports, 1)
  const units = Math.min(Math.max(1, Math.floor(chunk / perUnit)), batch.units - batch.made / perUnit)
  const codes = Array.from({ length: units }, () => codesOfSet(batch.prefix + newCodeId(), batch.ports)).flat()
  await sql`insert into qr_code (organise_id, agent_id, site_id, batch_id, batch_no, type, kind, code_no, set_no, content, port_no)
    select batch.organise_id, batch.agent_id, batch.site_id, batch.id, batch.batch_no, batch.type, batch.kind, made.code_no, made.set_no,
      made.content, made.port_no
    from qr_batch batch, unnest(${codes.map((code) => code.codeNo)}::text[], ${codes.map((code) => code.setNo)}::text[],
      ${codes.map((code) => signer.contentOf(code.codeNo))}::text[], ${codes.map((code) => code.portNo)}::smallint[])
      as made (code_no, set_no, content, port_no)
    where batch.id = ${batch.id}`.execute(db)
  await db
    .updateTable('qr_batch')
    .set({ made: batch.made + codes.length })
    .where('id', '=', batch.id)
    .execute()
  return true
}

type NewCode = { setNo: string; codeNo: string; portNo: number | null }

/** One code for the device, or one for each of its ports. */
const codesOfSet = (setNo: string, ports: number): NewCode[] =>
  ports === 0
    ? [{ setNo, codeNo: setNo, portNo: null }]
    : Array.from({ length: ports }, (_, place) => ({
        setNo,
        codeNo: setNo + String(place + 1).padStart(2, '0'),
        portNo: place + 1,
      }))

async function finish(db: Db, batch: Batch): Promise<void> {
  await db
    .updateTable('qr_batch')
    .set({ status: qrBatchFlow.to('finish'), finished_at: sql<string>`now()` })
    .where('id', '=', batch.id)
    .where('status', '=', sql<number>`any(${qrBatchFlow.from('finish')})`)
    .execute()
  await publishToOrganisation(db, batch, { kind: 'changed', list: 'qrCode' })
  const maker = await db
    .selectFrom('user_account')
    .select(['organise_id', 'agent_id', 'site_id', 'id as userId'])
    .where('id', '=', batch.user_id)
    .executeTakeFirst()
  if (maker === undefined) return
  const body = `批次${batch.batch_no}已生成，共${batch.total}个`
  const route = `/system/qrCodeManage?batchNo=${batch.batch_no}`
  await notify(db, maker, { type: 0, title: '二维码生成完成', body, route })
}

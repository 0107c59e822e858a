import pg from 'pg'
import { randomOf } from '../../apps/simulator/src/faults.ts'
import { startOwnPostgres } from '../../tools/dev/local-services.ts'

export type ControlResult = { seed: number; operations: number; wrongFen: number; negative: number }

/**
 * The control of the money run: a naive implementation that checks the balance and then takes the money. Nothing is
 * killed. If this did not fail, the run would prove nothing.
 */
export async function runNaive(seed: number, mostOperations: number): Promise<ControlResult> {
  const postgres = await startOwnPostgres('ephemeral')
  const pool = new pg.Pool({ connectionString: `postgres://postgres@${postgres.at}/postgres`, max: 16 })
  await pool.query(
    'create table wallet (id int primary key, fen bigint not null); create table taken (wallet int not null, fen bigint not null)',
  )
  await pool.query('insert into wallet select i, 10000 from generate_series(1, 20) i')
  const random = randomOf(seed)
  let operations = 0
  const broken = async () => {
    const { rows } = await pool.query<{ wrong: string; negative: string }>(
      `select coalesce(sum(abs(10000 - fen - coalesce((select sum(t.fen) from taken t where t.wallet = w.id), 0))), 0) as wrong,
         count(*) filter (where 10000 < (select sum(t.fen) from taken t where t.wallet = w.id)) as negative from wallet w`,
    )
    return { wrongFen: Number(rows[0]?.wrong ?? 0), negative: Number(rows[0]?.negative ?? 0) }
  }
  let found = await broken()
  const isOver = () => operations >= mostOperations || (found.wrongFen > 0 && found.negative > 0)
  const client = async () => {
    while (!isOver()) {
      const [id, fen] = [1 + Math.floor(random() * 20), 1 + Math.floor(random() * 300)]
      const { rows } = await pool.query<{ fen: string }>('select fen from wallet where id = $1', [id])
      const balance = Number(rows[0]?.fen ?? 0)
      if (balance >= fen) {
        await pool.query('update wallet set fen = $2 where id = $1', [id, balance - fen])
        await pool.query('insert into taken values ($1, $2)', [id, fen])
      }
      if (++operations % 200 === 0) found = await broken()
    }
  }
  await Promise.all(Array.from({ length: 16 }, client))
  found = await broken()
  await pool.end()
  await postgres.stop()
  return { seed, operations, ...found }
}

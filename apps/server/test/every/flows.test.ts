import { whitelistFlow } from '@wattdeck/contract/member/whitelist-codes.ts'
import { couponFlow, grantFlow } from '@wattdeck/contract/operating/coupon-codes.ts'
import { cardReplacementFlow, storedCardFlow } from '@wattdeck/contract/operating/stored-card-codes.ts'
import { shiftFlow } from '@wattdeck/contract/operating/desk-shift.ts'
import { cardBuyFlow } from '@wattdeck/contract/order/member-card-codes.ts'
import { orderFlow } from '@wattdeck/contract/order/order-codes.ts'
import { commandFlow } from '@wattdeck/contract/product/device-command.ts'
import { downloadFlow } from '@wattdeck/contract/system/download.ts'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiUrl } from '../../../../tools/ops/database.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { makeModels } from '../fixtures/devices.ts'
import { orderInReview } from '../fixtures/orders.ts'
import { makeFixture } from '../harness/people.ts'

/** States whose transitions the database enforces; refunds, payments and adjustments have their own triggers. */
const flows = {
  charging_order: orderFlow,
  desk_shift: shiftFlow,
  device_command: commandFlow,
  download: downloadFlow,
  plan_order: cardBuyFlow,
  whitelist_entry: whitelistFlow,
  coupon: couponFlow,
  coupon_grant: grantFlow,
  stored_card: storedCardFlow,
  card_replacement: cardReplacementFlow,
}

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})

describe('a state', () => {
  it('[attack.L5] of an order, a command or a download has the same transitions in database and contract', async () => {
    const triggers = await api.sql<{ table: string; text: string }>(
      `select tgrelid::regclass::text as table, pg_get_triggerdef(oid) as text from pg_trigger
       where tgname = 'keep_flow' and tgparentid = 0`,
    )
    const enforcedMoves = triggers.map(({ table, text }) => [
      table,
      (/'\{(.*)\}'/.exec(text)?.[1] ?? '').split(',').toSorted(),
    ])
    const declaredMoves = Object.entries(flows).map(([table, { moves }]) => [table, [...new Set(moves)].toSorted()])
    expect(Object.fromEntries(enforcedMoves)).toEqual(Object.fromEntries(declaredMoves))
  })

  it('[attack.L5] of a billed order cannot be reset by the role of the api', async () => {
    const fixture = await makeFixture(api)
    const { id } = await orderInReview(api, fixture.platform.root.token, fixture.green, await makeModels(api))
    await api.sql(
      'update charging_order set status = 3, settled_at = now(), total_fen = 0, electricity_fen = 0 where id = $1',
      [id],
    )
    const client = new pg.Client({ connectionString: apiUrl(api.database) })
    await client.connect()
    await client.query("set app.scope_level = '0'")
    const change = async (status: number) =>
      client.query('update charging_order set status = $2 where id = $1', [id, status]).then(
        ({ rowCount }) => rowCount,
        (error: Error) => error.message,
      )
    expect(await change(3)).toBe(1)
    for (const status of [1, 2, 4, 5])
      expect(await change(status)).toMatch(/^a state of charging_order\w* does not move so$/)
    await client.end()
  })
})

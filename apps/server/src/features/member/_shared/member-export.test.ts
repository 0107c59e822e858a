import { accountColumns, accountDetail } from '@wattdeck/contract/dashboard/account-detail.ts'
import { adjustmentColumns, balanceAdjustment } from '@wattdeck/contract/member/balance-adjustment.ts'
import { miniColumns, wechatColumns } from '@wattdeck/contract/member/member-row.ts'
import { miniUser } from '@wattdeck/contract/member/mini-user.ts'
import { wechatUser } from '@wattdeck/contract/member/wechat-user.ts'
import { download } from '@wattdeck/contract/system/download.ts'
import { pino } from 'pino'
import readExcel from 'read-excel-file/node'
import { beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { makeAdjustment, makeMember, type Member, recharge } from '../../../../test/fixtures/members.ts'
import { makeFixture, type Fixture } from '../../../../test/harness/people.ts'
import { listExports } from '../../../app/features.ts'
import { createPool } from '../../../kit/db/db.ts'
import { runExport } from '../../../kit/bulk/exports.ts'

let api: TestApi
let fixture: Fixture
let member: Member
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  const { id: organiseId, subAgentId: agentId, siteId } = fixture.green
  member = await makeMember(api, { organiseId, agentId, siteId, nickname: '=1+1', phone: '13911110009' })
  await makeMember(api, { organiseId, nickname: '不归代理商' })
  await makeMember(api, { organiseId, agentId, siteId, channel: 2, nickname: '小程序会员' })
  await recharge(api, member, 123_450, 50)
  await makeAdjustment(api, member, fixture.green.admin.id)
})

type Exporting = typeof wechatUser.exportList
/** The sheet that an agent gets, a row for each line, by the titles of its head. */
async function sheetOf(route: Exporting, columns: Record<string, string>, query = '') {
  const { token } = fixture.green.agent
  const body = { columns: Object.keys(columns), query } as never
  const asked = await api.call(token, route, { body })
  expect(asked.status).toBe(200)
  const pool = createPool(api.config.workerDatabaseUrl, 2)
  await runExport({ pool, files: api.deps.files, log: pino({ level: 'silent' }) }, listExports, asked.data.id)
  await pool.end()
  const { bytes } = await api.call(token, download.file, { body: { id: asked.data.id } })
  const read: unknown = await readExcel(bytes ?? Buffer.alloc(0))
  const [sheet] = read as { data: unknown[][] }[]
  const [head = [], ...rows] = sheet?.data ?? []
  expect(head).toEqual(Object.values(columns))
  return rows.map((cells) => Object.fromEntries(cells.map((cell, place) => [String(head[place]), cell])))
}

it('members become a file of what the list shows to its reader: masked, amounts as numbers, no formula', async () => {
  const rows = await sheetOf(wechatUser.exportList, wechatColumns)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    用户ID: member.id,
    手机号: '139****0009',
    OpenID: `${member.openId.slice(0, 4)}****${member.openId.slice(-4)}`,
    余额: 1235,
    充值余额: 1234.5,
    赠送余额: 0.5,
    关注状态: '未关注',
  })
  expect(await sheetOf(miniUser.exportList, miniColumns, 'status=1')).toMatchObject([
    { 昵称: '小程序会员', 状态: '启用' },
  ])
})

it('requests and accounts become files, too', async () => {
  expect(await sheetOf(balanceAdjustment.exportList, adjustmentColumns)).toMatchObject([
    { 会员ID: member.id, 状态: '待审批', 方向: '增加', 账户: '充值余额', 金额: 1 },
  ])
  expect(await sheetOf(accountDetail.exportList, accountColumns, 'kind=1')).toMatchObject([
    { 账户: '会员充值余额', 收入: 1234.5, 支出: 0, 期末: 1234.5, 冻结: 0, 可用: 1234.5 },
  ])
})

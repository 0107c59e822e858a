import { accountColumns, accountDetail } from '@wattdeck/contract/dashboard/account-detail.ts'
import { adjustmentList, balanceAdjustment } from '@wattdeck/contract/member/balance-adjustment.ts'
import { miniUser, miniUserList } from '@wattdeck/contract/member/mini-user.ts'
import { wechatUser, wechatUserList } from '@wattdeck/contract/member/wechat-user.ts'
import { beforeAll, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeAdjustment, makeMember, type Member, recharge } from '../../../../test/fixtures/members.ts'
import { makeFixture } from '../../../../test/harness/people.ts'
import { sheetOf, titlesOf } from '../../../../test/fixtures/export-sheet.ts'

let member: Member
let token = ''
const api = await startApi()
const fixture = await makeFixture(api)
beforeAll(async () => {
  token = fixture.green.agent.token
  const { id: organiseId, subAgentId: agentId, siteId } = fixture.green
  member = await makeMember(api, { organiseId, agentId, siteId, nickname: '=1+1', phone: '13911110009' })
  await makeMember(api, { organiseId, nickname: '不归代理商' })
  await makeMember(api, { organiseId, agentId, siteId, channel: 2, nickname: '小程序会员' })
  await recharge(api, member, 123_450, 50)
  await makeAdjustment(api, member, fixture.green.admin.id)
})

it('exports members as the reader sees them in the list: masked, amounts as numbers, without formulas', async () => {
  const rows = await sheetOf(api, token, wechatUser.exportList, titlesOf(wechatUserList))
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
  expect(await sheetOf(api, token, miniUser.exportList, titlesOf(miniUserList), 'status=1')).toMatchObject([
    { 昵称: '小程序会员', 状态: '启用' },
  ])
})

it('exports requests and accounts as files', async () => {
  expect(await sheetOf(api, token, balanceAdjustment.exportList, titlesOf(adjustmentList))).toMatchObject([
    { 会员ID: member.id, 状态: '待审批', 方向: '增加', 账户: '充值余额', 金额: 1 },
  ])
  expect(await sheetOf(api, token, accountDetail.exportList, accountColumns, 'kind=1')).toMatchObject([
    { 账户: '会员充值余额', 收入: 1234.5, 支出: 0, 期末: 1234.5, 冻结: 0, 可用: 1234.5 },
  ])
})

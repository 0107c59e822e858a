import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { id, text } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { printedNo } from './stored-card.ts'

export const swipeResult = codes({
  started: { code: 1, label: '启动充电', tone: 'ok' },
  checked: { code: 2, label: '查询余额', tone: 'run' },
  refused: { code: 3, label: '拒绝', tone: 'bad' },
})

/** The answers that a device gets to a swipe, by the codes of `accountStatus` in the device protocol. */
export const swipeAnswer = codes({
  good: { code: 1, label: '正常' },
  notRegistered: { code: 2, label: '未登记、未发出或已注销的卡' },
  alreadyCharging: { code: 5, label: '正在充电或重复刷卡' },
  tooLittleMoney: { code: 7, label: '余额不足' },
  portFault: { code: 9, label: '端口故障' },
  notHere: { code: 14, label: '此设备不能使用' },
  frozen: { code: 15, label: '已挂失或被限制充电' },
})
type Answered = { result: number; account: number }
/** Why a swipe was refused. A newer answer without a text of its own is shown by its code. */
export const refusalText = ({ result, account }: Answered): string | null =>
  result === swipeResult.code.refused ? swipeAnswer.show(account as 1).label : null

const portNo = (port: number | null) => (port === null ? '–' : `${port}号`)

export const cardSwipeList = defineList('/seeker/api/cardSwipe', {
  menu: menuKey.cardSwipe,
  module: '刷卡记录',
  fields: {
    at: f.time('刷卡时间', { width: 180 }),
    result: f.code('结果', swipeResult, { width: 100 }),
    refusal: f.derived('失败原因', refusalText as (row: never) => string | null, { width: 190 }),
    cardNo: f.shown('卡号', { optional: true, width: 140 }),
    chipNo: f.person('物理卡号', 'chipNo', { width: 150 }),
    holderName: f.person('持卡人', 'name', { optional: true, width: 110, object: { kind: 'member', id: 'memberId' } }),
    deviceNo: f.shown('设备编号', { optional: true, width: 150, object: { kind: 'device', id: 'deviceId' } }),
    portNo: f.value('端口', z.int().nullable(), portNo, { width: 80 }),
    balance: f.money('卡余额', { width: 110 }),
    orderNo: f.shown('订单号', { optional: true, width: 190, object: { kind: 'order', id: 'orderNo' } }),
    total: f.money('扣费', { optional: true, width: 100 }),
    ...f.owner,
    account: f.data(z.int()),
    cardId: f.data(z.string().nullable().describe('null: no card of the organisation')),
    memberId: f.data(z.string().nullable()),
    deviceId: f.data(z.string()),
  },
  decided: [
    ['at'],
    ['result', 'refusal'],
    ['cardNo', 'chipNo'],
    ['holderName'],
    ['deviceNo', 'portNo'],
    ['balance', 'total'],
    ['orderNo'],
    ['siteName', 'agentName'],
  ],
  filter: {
    own: {
      cardNo: { title: '卡号', schema: printedNo },
      deviceNo: { title: '设备编号', schema: text(40, '设备编号') },
      cardId: { schema: id },
    },
    exact: ['result'],
    days: 'at',
    owner: ['organise', 'agent', 'site'],
  },
  exports: true,
})
export type CardSwipe = DataOf<typeof cardSwipeList.routes.list>['rows'][number]

/** Every swipe at a reader, with the answer of the platform. */
export const cardSwipe = cardSwipeList.routes

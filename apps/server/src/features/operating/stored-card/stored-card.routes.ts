import { enabledStatus } from '@wattdeck/contract/common.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import {
  cardReplacementStatus,
  cardStepKind,
  storedCardFlow,
  storedCardStatus,
} from '@wattdeck/contract/operating/stored-card-codes.ts'
import { type StoredCard, storedCard, storedCardList } from '@wattdeck/contract/operating/stored-card.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { sql } from 'kysely'
import { listEvents } from '../../../core/ledger/wallet-events.ts'
import { refuseImpersonation } from '../../../kit/auth/actor.ts'
import { fileType } from '../../../kit/bulk/exports.ts'
import { receiveSheet, templateOf } from '../../../kit/bulk/imports.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { readSheet } from '../../../kit/bulk/sheets/read-sheet.ts'
import { listQuery, matchingRows, readRow } from '../../../kit/db/list-query.ts'
import { withWholeOrganiseScope } from '../../../kit/db/whole-organise.ts'
import { publishToOrganisation } from '../../../kit/events/outbox.ts'
import { defineApproval } from '../../../kit/http/approval.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { type Ctx, type Handlers, prepared } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { conflict, invalid, notFound, orNotFound } from '../../../kit/http/refusal.ts'
import { isOwnPhone } from '../../_shared/own-phone.store.ts'
import { chosenPlace } from '../../_shared/place.store.ts'
import { assertReplaceable, issueCard, newNumbers, replaceCard } from './replace-card.ts'
import * as replacements from './replacement.store.ts'
import { importCards } from './stored-card.import.ts'
import * as store from './stored-card.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
type Change = Pick<Ctx<never>, 'db' | 'scope' | 'actor' | 'setAuditDetail' | 'setMessage'>
const settled = '该补卡申请已处理，请刷新后重试'
const list = 'storedCard'

const approval = defineApproval<replacements.Replacement>({
  menu: menuKey.storedCard,
  lists: [list],
  find: replacements.findReplacement,
  doers: ({ createdById }) => [{ by: createdById, refusal: '不能审核自己提交的补卡' }],
  label: ({ cardNo, newCardNo }) => `储值卡${cardNo}补为${newCardNo}`,
  path: ({ cardNo }) => `/operating/storedCard?keyword=${cardNo}`,
})

const byOf = ({ actor }: Some) => ({ id: actor.userId, name: actor.userName })
const publish = (db: Some['db'], { organiseId, agentId, siteId }: store.CardRow) =>
  publishToOrganisation(db, { organise_id: organiseId, agent_id: agentId, site_id: siteId }, { kind: 'changed', list })
const requireCard = async ({ db }: Some, id: string) => orNotFound(await store.lockCard(db, id))

/** Reports a card lost or found; both count from the next swipe on. */
async function changeState(
  ctx: Change,
  { id, reason }: { id: string; reason: string },
  as: 'reportLoss' | 'cancelReportLoss',
) {
  const { db } = ctx
  const card = await requireCard(ctx, id)
  if (card.inStock) throw conflict('库存卡没有发出，不能挂失')
  const word = as === 'reportLoss' ? '挂失' : '解挂'
  if (!(await store.move(db, id, as)))
    throw conflict(`储值卡已${storedCardStatus.show(card.status as 0).label}，不能${word}`)
  const kind = as === 'reportLoss' ? cardStepKind.code.lost : cardStepKind.code.found
  await store.addStep(db, { organiseId: card.organiseId, cardId: id, kind, reason, by: byOf(ctx) })
  ctx.setAuditDetail(`${card.cardNo} ${reason}`)
  await publish(db, card)
  return card
}

/** A card with money, in use or awaited by other work is not cancelled. */
async function assertUnused({ db, scope }: Some, card: store.CardRow): Promise<void> {
  const { paidFen, giftFen, heldFen, isCharging } = await withWholeOrganiseScope(db, scope, card.organiseId, () =>
    store.usageOf(db, card),
  )
  if (heldFen > 0n || isCharging) throw conflict('该卡正在充电，充电结束后再注销')
  if (paidFen + giftFen > 0n) throw conflict(`该卡还有${yuanText(paidFen + giftFen)}元，余额为零才能注销`)
  if (await replacements.hasWaiting(db, card.id)) throw conflict('该卡有待审核的补卡申请，请先处理')
  if (await store.hasWaitingRecharge(db, card.id)) throw conflict('该卡有待审核的线下充值，请先处理')
}

/** The approver must not be the person whose money moves. */
async function assertNotHolder(caller: Some, phone: string | null): Promise<void> {
  if (await isOwnPhone(caller, [phone])) throw conflict('不能审核自己的储值卡')
}

async function readOwnCard(ctx: Some, id: string): Promise<StoredCard> {
  return orNotFound(await readRow(ctx.db, ctx.scope, storedCardList, store.cardSource(ctx.actor.userId), id))
}

const cardExport = exportOf('storedCard', storedCardList, store.cardSource())
const nothing = { total: 0, bounded: false, cursor: null, rows: [] }
const templateKey = 'template/card-import.xlsx'

const storedCardHandlers = ({ files }: Pick<Deps, 'files'>): Handlers<typeof storedCard> => ({
  list: ({ db, scope, actor, query }) => listQuery(db, scope, storedCardList, store.cardSource(actor.userId), query),

  states: async ({ db, scope, query }) => {
    const rows = await matchingRows(db, scope, storedCardList, store.cardSource(), query)
    const counted = await rows
      .select([store.stateSql.as('state'), sql<number>`count(*)::int`.as('count')])
      .groupBy(sql`1`)
      .orderBy(sql`1`)
      .$castTo<{ state: 0; count: number }>()
      .execute()
    return { rows: counted }
  },

  detail: async (ctx) => {
    const { db, params } = ctx
    const card = await readOwnCard(ctx, params.id)
    return { card, ...(await store.readLinks(db, card.id)), steps: await store.readSteps(db, card.id) }
  },

  statement: async (ctx) => {
    const { db, params, query } = ctx
    const card = await readOwnCard(ctx, params.id)
    const account = await store.findAccount(db, card.organiseId, query.kind, card.id)
    return account === undefined ? nothing : listEvents(db, account, query)
  },

  holders: async ({ db, query }) => ({ rows: await store.findHolders(db, query.keyword) }),

  issue: async (ctx) => {
    const { db, actor, body } = ctx
    const place = await chosenPlace(db, actor, body)
    if (body.memberId !== undefined) {
      const member = await store.findMember(db, place.organise_id, body.memberId)
      if (member === undefined) throw notFound()
      if (member.status !== enabledStatus.code.enabled) throw invalid('会员已停用，不能发卡', 'memberId')
    }
    const numbers = await newNumbers(ctx, place.organise_id, body)
    const id = await issueCard(db, numbers, { place, memberId: body.memberId ?? null }, byOf(ctx))
    const card = await requireCard(ctx, id)
    const step = { organiseId: card.organiseId, cardId: id, kind: cardStepKind.code.issued }
    await store.addStep(db, { ...step, by: byOf(ctx) })
    ctx.setAuditDetail(`${card.cardNo}${card.memberId === null ? '，不记名' : `，会员${card.memberId}`}`)
    ctx.setMessage('已发卡，余额为零，请在线下充值中充值')
    await publish(db, card)
    return { id }
  },

  reportLoss: async (ctx) => {
    const card = await changeState(ctx, ctx.body, 'reportLoss')
    const { isCharging } = await withWholeOrganiseScope(ctx.db, ctx.scope, card.organiseId, () =>
      store.usageOf(ctx.db, card),
    )
    ctx.setMessage(`已挂失，下一次刷卡起不能充电${isCharging ? '；正在进行的充电不受影响' : ''}`)
    return null
  },

  cancelReportLoss: async (ctx) => {
    await changeState(ctx, ctx.body, 'cancelReportLoss')
    ctx.setMessage('已解挂，可以继续使用')
    return null
  },

  cancel: async (ctx) => {
    const { db, body } = ctx
    const card = await requireCard(ctx, body.id)
    if (!storedCardFlow.can('cancel', card.status as 0)) throw conflict('储值卡已注销')
    await assertUnused(ctx, card)
    if (!(await store.move(db, card.id, 'cancel'))) throw conflict('该卡状态已变化，请刷新后重试')
    const kind = cardStepKind.code.cancelled
    await store.addStep(db, { organiseId: card.organiseId, cardId: card.id, kind, reason: body.reason, by: byOf(ctx) })
    ctx.setAuditDetail(`${card.cardNo} ${body.reason}`)
    ctx.setMessage(`已注销储值卡${card.cardNo}，不能恢复`)
    await publish(db, card)
    return null
  },

  replace: async (ctx) => {
    refuseImpersonation(ctx)
    const { db, body } = ctx
    const card = await requireCard(ctx, body.id)
    const money = await assertReplaceable(ctx, card)
    const numbers = await newNumbers(ctx, card.organiseId, body)
    const by = byOf(ctx)
    const isEmpty = money.paidFen + money.giftFen === 0n
    if (await replacements.hasWaiting(db, card.id)) throw conflict('该卡已有待审核的补卡申请')
    ctx.setAuditDetail(`${card.cardNo}补为${numbers.cardNo} ${body.reason}`)
    await publish(db, card)
    if (isEmpty) {
      await replaceCard(ctx, card, { numbers, reason: body.reason, by })
      ctx.setMessage(`已补卡，新卡${numbers.cardNo}可以使用，原卡作废`)
      return { waits: false }
    }
    const request = { newCardNo: numbers.cardNo, newChipNo: numbers.chipNo, reason: body.reason, by }
    const id = await replacements.addReplacement(db, card, request)
    if (id === undefined) throw conflict('新卡的卡号或物理卡号已有待审核的补卡申请')
    const kind = cardStepKind.code.requested
    await store.addStep(db, { organiseId: card.organiseId, cardId: card.id, kind, reason: body.reason, by })
    ctx.setMessage('补卡申请已提交，卡内有余额，须由他人审核')
    await approval.notifyDeciders(ctx, await approval.read(ctx, id), {
      title: '补卡待审核',
      route: '/operating/storedCard?waits=true',
    })
    return { waits: true }
  },

  approve: async (ctx) => {
    const { db, body } = ctx
    const found = await approval.readForeign(ctx, body.replacementId)
    if (found.status !== cardReplacementStatus.code.waiting) throw conflict(settled)
    await assertNotHolder(ctx, found.holderPhone)
    const card = await requireCard(ctx, found.cardId)
    const by = byOf(ctx)
    if (!(await replacements.decide(db, found.id, { as: 'approve', by, reason: null }))) throw conflict(settled)
    const numbers = { cardNo: found.newCardNo, chipNo: found.newChipNo }
    await replaceCard(ctx, card, { numbers, reason: found.reason, by, request: found })
    ctx.setAuditDetail(`${found.cardNo}补为${found.newCardNo}`)
    ctx.setMessage(`已通过补卡，余额已转到新卡${found.newCardNo}，原卡作废`)
    await approval.notifyApplicant(ctx, found, '补卡已通过')
    await approval.publishChange(db, found)
    return null
  },

  turnDown: async (ctx) => {
    const { db, body } = ctx
    const found = await approval.readForeign(ctx, body.replacementId)
    const by = byOf(ctx)
    if (!(await replacements.decide(db, found.id, { as: 'turnDown', by, reason: body.reason }))) throw conflict(settled)
    const step = { organiseId: found.organiseId, cardId: found.cardId, kind: cardStepKind.code.turnedDown }
    await store.addStep(db, { ...step, reason: body.reason, by })
    ctx.setAuditDetail(`${found.cardNo} ${body.reason}`)
    ctx.setMessage(`已驳回储值卡${found.cardNo}的补卡，原卡和余额不变`)
    await approval.notifyApplicant(ctx, found, '补卡被驳回', body.reason)
    await approval.publishChange(db, found)
    return null
  },

  withdraw: async (ctx) => {
    const { db, body } = ctx
    const found = await approval.readOwn(ctx, body.replacementId, '只能撤销自己提交的补卡')
    if (!(await replacements.withdraw(db, found.id))) throw conflict(settled)
    const step = { organiseId: found.organiseId, cardId: found.cardId, kind: cardStepKind.code.withdrawn }
    await store.addStep(db, { ...step, by: byOf(ctx) })
    ctx.setAuditDetail(found.cardNo)
    ctx.setMessage(`已撤销储值卡${found.cardNo}的补卡`)
    await approval.publishChange(db, found)
    return null
  },

  exportList: exportHandler(cardExport),

  importSheet: prepared({
    prepare: async ({ file }) => {
      if (file === undefined) throw invalid('请选择文件')
      return readSheet(file.bytes)
    },
    handle: (ctx, sheet) => receiveSheet(ctx, importCards, '导入储值卡', sheet),
  }),

  importTemplate: prepared({
    prepare: async () => files.put(templateKey, await templateOf(importCards), fileType.xlsx),
    handle: async () => ({ key: templateKey, name: '储值卡导入模板.xlsx', type: fileType.xlsx }),
  }),
})

export const storedCardFeature = defineFeature(storedCard, storedCardHandlers, {
  exports: [cardExport],
  batchKinds: [importCards],
})

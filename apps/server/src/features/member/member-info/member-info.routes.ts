import { type MemberDetail, memberInfo, walletAccount } from '@wattdeck/contract/member/member-info.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { orNotFound } from '../../../kit/http/refusal.ts'
import { listEvents } from '../../../core/ledger/wallet-events.ts'
import { type Wallet, walletsOf } from '../../../core/ledger/wallets.ts'
import * as store from './member-info.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope'>
const known = async ({ db }: Some, id: string) => orNotFound(await store.readMember(db, id))
async function walletOf({ db }: Some, id: string): Promise<Wallet> {
  const wallet = (await walletsOf(db, [id])).get(id)
  if (wallet === undefined) throw new Error('a wallet was asked for and not answered')
  return wallet
}

const accountsOf = (wallet: Wallet): MemberDetail['wallets'] =>
  (['paid', 'gift', 'paidHeld', 'giftHeld'] as const).map((part) => ({
    kind: walletAccount.code[part],
    balance: yuanText(wallet[part]),
  }))

const nothing = { total: 0, bounded: false, cursor: null, rows: [] }

const memberInfoHandlers: Handlers<typeof memberInfo> = {
  info: async (ctx) => {
    const { id, nickname, phone } = await known(ctx, ctx.query.memberId)
    const { paid, gift } = await walletOf(ctx, id)
    return { nickname, memberId: id, balance: yuanText(paid + gift), rechargeBalance: yuanText(paid), phone }
  },

  read: async (ctx) => {
    const member = await known(ctx, ctx.params.memberId)
    const { id, nickname, phone, organiseName, agentName, siteName } = member
    return {
      memberId: id,
      nickname,
      phone,
      organiseId: member.organise_id,
      siteId: member.site_id,
      organiseName: organiseName ?? '',
      agentName: agentName ?? null,
      siteName: siteName ?? null,
      status: member.status === 1 ? 1 : 0,
      recharged: yuanText(BigInt(member.recharged_fen)),
      consumed: yuanText(BigInt(member.consumed_fen)),
      registeredAt: member.registered_at,
      lastConsumedAt: member.last_consumed_at,
      wallets: accountsOf(await walletOf(ctx, id)),
      apps: await store.readApps(ctx.db, id),
    }
  },

  orders: async (ctx) => {
    const { id } = await known(ctx, ctx.params.memberId)
    return store.listOrders(ctx.db, id, ctx.query)
  },

  statement: async (ctx) => {
    const { db, query } = ctx
    const { id, organise_id } = await known(ctx, ctx.params.memberId)
    const account = await store.findAccount(db, organise_id, query.kind, id)
    return account === undefined ? nothing : listEvents(db, account, query)
  },
}

export const memberInfoFeature = defineFeature(memberInfo, memberInfoHandlers)

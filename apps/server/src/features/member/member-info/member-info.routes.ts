import { type MemberDetail, memberInfo, walletAccount } from '@wattdeck/contract/member/member-info.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { orNotFound } from '../../../kit/http/refusal.ts'
import { blockedScopes } from '../../../core/charging/member-block.store.ts'
import { listEvents } from '../../../core/ledger/wallet-events.ts'
import { type Wallet, walletsOf } from '../../../core/ledger/wallets.ts'
import * as store from './member-info.store.ts'

type Some = Pick<Ctx<never>, 'db' | 'scope'>
const requireMember = async ({ db }: Some, id: string) => orNotFound(await store.readMember(db, id))
async function walletOf({ db }: Some, id: string): Promise<Wallet> {
  const wallet = (await walletsOf(db, [id])).get(id)
  if (wallet === undefined) throw new Error('the wallet of the member is missing')
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
    const { id, nickname, phone } = await requireMember(ctx, ctx.query.memberId)
    const { paid, gift } = await walletOf(ctx, id)
    return { nickname, memberId: id, balance: yuanText(paid + gift), rechargeBalance: yuanText(paid), phone }
  },

  read: async (ctx) => {
    const member = await requireMember(ctx, ctx.params.memberId)
    const { id, nickname, phone, organiseName, agentName, siteName } = member
    const wallet = await walletOf(ctx, id)
    const blocked = await blockedScopes(ctx.db, ctx.scope, [id])
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
      blocked: blocked.get(id) ?? null,
      balance: yuanText(wallet.paid + wallet.gift),
      frozen: yuanText(wallet.paidHeld + wallet.giftHeld),
      charging: await store.countCharging(ctx.db, member),
      recharged: yuanText(BigInt(member.recharged_fen)),
      consumed: yuanText(BigInt(member.consumed_fen)),
      registeredAt: member.registered_at,
      lastConsumedAt: member.last_consumed_at,
      wallets: accountsOf(wallet),
      apps: await store.readApps(ctx.db, id),
    }
  },

  statement: async (ctx) => {
    const { db, query } = ctx
    const { id, organise_id } = await requireMember(ctx, ctx.params.memberId)
    const account = await store.findAccount(db, organise_id, query.kind, id)
    return account === undefined ? nothing : listEvents(db, account, query)
  },
}

export const memberInfoFeature = defineFeature(memberInfo, memberInfoHandlers)

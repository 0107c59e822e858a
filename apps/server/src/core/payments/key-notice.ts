import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { popupType } from '@wattdeck/contract/auth/notification.ts'
import type { Db } from '../../kit/db/db.ts'
import { notifyHolders } from '../../kit/events/notify-holders.ts'
import { publishToOrganisation } from '../../kit/events/outbox.ts'
import type { Scope } from '../../kit/db/scope.ts'

const titles = {
  requested: '支付密钥待审批',
  approved: '支付密钥已通过，等待渠道验证',
  declined: '支付密钥被驳回',
  live: '支付密钥已生效',
  unproven: '支付密钥24小时内未通过渠道验证，已作废',
  retired: '支付密钥已停用',
}
const platformId = '1'
const noUserId = '0'

type Of = { organiseId: string; name: string }
type Key = { serial: string }

/** Notifies editors of the merchant about each step of a key, and the platform's approvers about a request. */
export async function notifyKeyStep(
  db: Db,
  scope: Scope,
  { organiseId, name }: Of,
  { serial }: Key,
  step: keyof typeof titles,
  detail?: string,
): Promise<void> {
  const place = { organise_id: organiseId, agent_id: null, site_id: null }
  const notice = {
    type: popupType.code.platformWarning,
    title: titles[step],
    body: [`商户${name}，密钥${serial.slice(0, 16)}`, ...(detail === undefined ? [] : [detail])].join('，'),
    route: '/accounting/paySetting',
  }
  const holders = (organise_id: string, action: string) => ({
    place: { ...place, organise_id },
    grant: { menu: menuKey.paySetting, action },
    except: noUserId,
  })
  await notifyHolders(db, scope, holders(organiseId, 'edit'), notice)
  if (step === 'requested') await notifyHolders(db, scope, holders(platformId, 'approve'), notice)
  await publishToOrganisation(db, place, { kind: 'changed', list: 'paySetting' })
}

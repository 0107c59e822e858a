import { breakKind } from '@wattdeck/contract/accounting/recon-codes.ts'
import { userType } from '@wattdeck/contract/common.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { reviewReason } from '@wattdeck/contract/order/order-codes.ts'
import { refundStep } from '@wattdeck/contract/order/refund-codes.ts'
import { alarmKind } from '@wattdeck/contract/product/alarm-codes.ts'
import { deviceServiceStatus, installStatus } from '@wattdeck/contract/product/device-codes.ts'
import { passwordPolicy } from '@wattdeck/domain/password.ts'
import { sql } from 'kysely'
import { cardReplacements, deskRecharges } from './desk-tasks.rules.ts'
import { amount, joined, may, type Rights, sees, type Task } from './to-do-task.ts'
import type { Queue, Waiting } from './to-do.store.ts'

function refunds(who: Rights): Task[] {
  if (!may(who, menuKey.refundOrder, 'approve')) return []
  return [
    {
      kind: 'refundOrder',
      // Maker-checker: the user's own requests wait for others.
      queue: {
        table: 'refund_order',
        where: sql`status = 1 and created_by_id <> ${who.userId}`,
        at: sql`created_at`,
        fen: sql`amount_fen`,
        words: sql`reason`,
      },
      route: '/order/refundOrder?status=1',
      titleOf: (row) => joined(amount(row), row.words),
      routeOf: ({ id }) => `/order/refundReview?id=${id}`,
    },
  ]
}

/**
 * Each step of a refund needs another person. The user sees the steps they may take, of refunds they have not worked
 * on.
 */
function steps(
  who: Rights,
  kind: 'rechargeRefund' | 'enterpriseRefund',
  queue: Pick<Queue, 'table' | 'fen' | 'words'>,
) {
  const menu = menuKey[kind]
  const me = who.userId
  const { auditing, approving, refunding } = refundStep.code
  const mine = [
    ...(may(who, menu, 'edit') ? [sql`(status = ${auditing} and created_by_id is distinct from ${me})`] : []),
    ...(may(who, menu, 'approve')
      ? [sql`(status = ${approving} and created_by_id is distinct from ${me} and audited_by_id <> ${me})`]
      : []),
    // A company refund is paid by hand and documented by its voucher.
    ...(kind === 'enterpriseRefund' && may(who, menu, 'edit')
      ? [sql`(status = ${refunding} and created_by_id <> ${me})`]
      : []),
  ]
  if (mine.length === 0) return []
  const where = sql`finished_at is null and (${sql.join(mine, sql` or `)})`
  const task: Task = {
    kind,
    queue: { ...queue, where, at: sql`created_at`, more: sql`status` },
    route: `/order/${kind}`,
    titleOf: (row) => joined(refundStep.show((row.more ?? auditing) as typeof auditing).label, amount(row), row.words),
    routeOf: ({ id }) => `/order/${kind}?refundNo=${id}`,
  }
  return [task]
}

function adjustments(who: Rights): Task[] {
  if (!may(who, menuKey.balanceAdjustment, 'approve')) return []
  return [
    {
      kind: 'balanceAdjustment',
      queue: {
        table: 'balance_adjustment',
        where: sql`status = 1 and created_by_id <> ${who.userId}`,
        at: sql`created_at`,
        fen: sql`case direction when 1 then amount_fen else -amount_fen end`,
        words: sql`reason`,
      },
      route: '/member/balanceAdjustment?status=1',
      titleOf: (row) => joined(amount(row), row.words),
      // The number that users see.
      routeOf: ({ id }) => `/member/balanceAdjustment?keyword=TZ${id.padStart(8, '0')}`,
    },
  ]
}

function reviews(who: Rights): Task[] {
  if (!may(who, menuKey.orderReview, 'approve')) return []
  return [
    {
      kind: 'orderReview',
      queue: {
        table: 'charging_order',
        where: sql`status = 5`,
        at: sql`app.message_time(id)`,
        code: sql`port_no`,
        words: sql`device_no`,
        more: sql`review_reasons[1]`,
      },
      route: '/order/orderReview',
      titleOf: ({ words, code, more }) =>
        joined(more === null ? null : reviewReason.show(more as 'late').label, `${words}#${code}`),
      routeOf: ({ id }) => `/order/orderReview?orderNo=${id}`,
    },
  ]
}

function differences(who: Rights): Task[] {
  if (!sees(who, menuKey.reconciliation)) return []
  return [
    {
      kind: 'reconciliation',
      queue: {
        table: 'recon_break',
        where: sql`status = 1`,
        first: sql`(owner_id is not distinct from ${who.userId}) desc`,
        at: sql`found_at`,
        code: sql`kind`,
        words: sql`subject`,
        more: sql`case when owner_id = ${who.userId} then '由我负责' end`,
        wholeOrganise: true,
      },
      route: '/accounting/reconciliation?status=1',
      titleOf: ({ code, words, more }) => joined(more, breakKind.show((code ?? 1) as 1).label, words),
      routeOf: ({ id }) => `/accounting/reconciliation?subject=DZ${id.padStart(8, '0')}`,
    },
  ]
}

/** An installer sees the tickets assigned to them; other users see all open tickets. */
function tickets(who: Rights): Task[] {
  if (!sees(who, menuKey.repairTicket)) return []
  const own = who.userType === userType.code.installer
  return [
    {
      kind: 'repairTicket',
      queue: {
        table: 'repair_ticket',
        where: own ? sql`status = 2 and assignee_id = ${who.userId}` : sql`status = 2`,
        first: sql`priority`,
        at: sql`created_at`,
        code: sql`fault`,
        words: sql`device_no`,
      },
      route: `/product/repairTicket?status=2${own ? `&assigneeId=${who.userId}` : ''}`,
      titleOf: ({ code, words }) => joined(alarmKind.show((code ?? 13) as 13).label, words),
      routeOf: ({ id }) => `/product/repairTicket?ticket=${id}`,
    },
  ]
}

/** For installers only: to other users a device in store is no task. */
function installs(who: Rights): Task[] {
  if (who.userType !== userType.code.installer || !may(who, menuKey.deviceScan, 'edit')) return []
  const { waiting, failure } = installStatus.code
  return [
    {
      kind: 'install',
      queue: {
        table: 'device',
        where: sql`deleted_at is null and install_status in (${sql.lit(waiting)}, ${sql.lit(failure)})`,
        at: sql`created_at`,
        words: sql`device_no`,
        more: sql`(select site.name from site where site.id = device.site_id)`,
      },
      route: '/product/deviceScan',
      titleOf: ({ words, more }) => joined(words, more ?? '未登记站点'),
      routeOf: ({ words }) => `/product/deviceScan?device=${words ?? ''}`,
    },
  ]
}

function alarms(who: Rights): Task[] {
  if (!sees(who, menuKey.alarmCenter)) return []
  const { offline } = alarmKind.code
  const shared = {
    table: 'alarm',
    at: sql`first_at`,
    code: sql`kind`,
    words: sql`device_no`,
    more: sql`nullif(port_no, 0)`,
  }
  const task = {
    titleOf: ({ code, words, more }: Waiting) =>
      joined(alarmKind.show((code ?? 13) as 13).label, more === null ? words : `${words}#${more}`),
    routeOf: ({ id }: Waiting) => `/product/alarmCenter?alarmId=${id}`,
  }
  return [
    {
      ...task,
      kind: 'offline',
      queue: { ...shared, where: sql`status = 1 and kind = ${offline}` },
      route: `/product/alarmCenter?status=1&kind=${offline}`,
    },
    {
      ...task,
      kind: 'alarm',
      queue: { ...shared, where: sql`status = 1 and kind <> ${offline}`, first: sql`severity` },
      route: '/product/alarmCenter?status=1',
    },
  ]
}

function devices(who: Rights): Task[] {
  if (!sees(who, menuKey.deviceManage)) return []
  const task = (kind: 'serviceEnded' | 'serviceEnding', status: number): Task => ({
    kind,
    queue: {
      table: 'device',
      where: sql`deleted_at is null and service_status = ${status}`,
      first: sql`service_until`,
      at: sql`null::timestamptz`,
      words: sql`device_no`,
      more: sql`service_until`,
    },
    route: `/product/deviceManage?serviceStatus=${status}`,
    titleOf: ({ words, more }) => joined(words, more === null ? null : `${more} 到期`),
    routeOf: ({ id }) => `/product/deviceDetail?id=${id}`,
  })
  return [
    task('serviceEnded', deviceServiceStatus.code.expired),
    task('serviceEnding', deviceServiceStatus.code.expiring),
  ]
}

function accounts(who: Rights): Task[] {
  if (!sees(who, menuKey.staff)) return []
  const task = (kind: 'lockedAccount' | 'oldPassword', where: Queue['where'], at: Queue['at']): Task => ({
    kind,
    queue: {
      table: 'user_account',
      where: sql`deleted_at is null and status = 1 and ${where}`,
      at,
      words: sql`name`,
      more: sql`login_name`,
    },
    route: '/system/staff',
    titleOf: ({ words, more }) => joined(words, more),
    routeOf: ({ more }) => `/system/staff?keyword=${encodeURIComponent(more ?? '')}`,
  })
  const aged = sql`password_changed_at < now() - make_interval(days => ${sql.lit(passwordPolicy.maxAgeDays)})`
  return [
    task('lockedAccount', sql`locked_until > now()`, sql`null::timestamptz`),
    task('oldPassword', aged, sql`password_changed_at`),
  ]
}

/** All kinds of tasks that the user may see and decide on. */
export const tasksOf = (who: Rights): Task[] => [
  ...refunds(who),
  ...steps(who, 'rechargeRefund', { table: 'recharge_refund', fen: sql`payout_fen`, words: sql`reason` }),
  ...steps(who, 'enterpriseRefund', { table: 'enterprise_refund', fen: sql`amount_fen`, words: sql`company` }),
  ...adjustments(who),
  ...deskRecharges(who),
  ...cardReplacements(who),
  ...reviews(who),
  ...differences(who),
  ...tickets(who),
  ...installs(who),
  ...alarms(who),
  ...devices(who),
  ...accounts(who),
]

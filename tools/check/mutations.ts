/** A deliberate fault, and the part of the gate that must fail because of it. */
export type Mutation = {
  name: string
  file: string
  from: string
  to: string
  /** A phase of the check by its name, or a project of Vitest with a file. */
  caughtBy: { phase: string } | { project: string; test: string }
}

const server = (test: string) => ({ project: 'server', test: `apps/server/${test}` })
const unit = (test: string) => ({ project: 'unit', test: `packages/${test}` })

export const mutations: Mutation[] = [
  {
    name: 'missing scope: the administrator of an organisation sees all of them',
    file: 'apps/server/src/kit/db/scope.ts',
    from: 'return { ...organise, level: 1 } as unknown as Scope',
    to: "return { ...organise, level: 0, organiseId: '0' } as unknown as Scope",
    caughtBy: server('test/every/every-route-foreign.test.ts'),
  },
  {
    name: 'missing row security on a table of tenants',
    file: 'apps/server/db/migrations/0011_files.sql',
    from: "call app.secure_tenant_table('stored_file');",
    to: '',
    caughtBy: server('test/every/tenant-tables.test.ts'),
  },
  {
    name: 'a file is written with the rights of the system',
    file: 'apps/server/src/kit/bulk/exports.ts',
    from: "inScope(pool, actor.scope, 'read'",
    to: "inScope(pool, systemScope, 'read'",
    caughtBy: server('test/every/every-export.test.ts'),
  },
  {
    name: 'no check of menu and action',
    file: 'apps/server/src/kit/auth/admit.ts',
    from: 'if (!mayAct(actor, access)) throw forbidden()',
    to: '',
    caughtBy: server('test/every/every-route.test.ts'),
  },
  {
    name: 'a session without its second factor is let in',
    file: 'apps/server/src/kit/auth/admit.ts',
    from: "if (actor.stage !== 'full') throw new Refusal(401, '请先完成登录验证')",
    to: '',
    caughtBy: server('test/every/every-route.test.ts'),
  },
  {
    name: 'skipped audit of a change that was made',
    file: 'apps/server/src/kit/http/http.ts',
    from: "if (route.audit !== 'none') await appendAudit(client, entry(1, null))",
    to: '',
    caughtBy: server('test/every/every-change.test.ts'),
  },
  {
    name: 'rows of a table are missing in the log',
    file: 'apps/server/db/migrations/0002_tenants.sql',
    from: "call app.audit_table('agent');",
    to: '',
    caughtBy: server('test/every/every-change.test.ts'),
  },
  {
    name: 'a fault of the server on hostile input',
    file: 'apps/server/src/kit/http/idempotency.ts',
    from: "if (typeof header !== 'string' || !keyPattern.test(header)) throw invalid('缺少幂等键或格式不正确')\n",
    to: "if (typeof header !== 'string') throw new Error('no key')\n",
    caughtBy: server('test/runtime/idempotency.test.ts'),
  },
  {
    name: 'swapped sign: a refund adds what was refunded before',
    file: 'apps/server/src/core/refunds/order-refund.ts',
    from: 'paidFen: order.paidFen - taken.paidFen',
    to: 'paidFen: order.paidFen + taken.paidFen',
    caughtBy: server('src/features/order/refund-order/refund-order.test.ts'),
  },
  {
    name: 'removed lock of the order that is refunded',
    file: 'apps/server/src/core/refunds/order-refund.store.ts',
    from: "from charging_order where id = ${id} ${how === 'lock' ? sql`for update` : sql``}`.execute(db)",
    to: "from charging_order where id = ${id} ${how === 'lock' ? sql`` : sql``}`.execute(db)",
    caughtBy: server('src/features/order/refund-order/refund-order.test.ts'),
  },
  {
    name: 'lost await',
    file: 'apps/server/src/kit/http/http.ts',
    from: 'await storeReply(db, deps.vault, actor, key, own)',
    to: 'storeReply(db, deps.vault, actor, key, own)',
    caughtBy: { phase: 'lint' },
  },
  {
    name: 'the maker of a request decides on it',
    file: 'apps/server/src/kit/http/approval.ts',
    from: 'for (const { by, refusal } of spec.doers(request)) await assertDifferentPerson(caller, by, refusal)',
    to: '',
    caughtBy: server('src/features/member/balance-adjustment/balance-adjustment.test.ts'),
  },
  {
    name: 'a payment of another amount is credited',
    file: 'apps/server/src/core/payments/settle-payment.ts',
    from: 'if (reported.fen !== undefined && reported.fen !== pay.amountFen)',
    to: 'if (reported.fen === 0n)',
    caughtBy: server('src/core/payments/pay-storm.test.ts'),
  },
  {
    name: 'a notice under a young key is believed without asking the provider',
    file: 'apps/server/src/core/payments/settle-payment.ts',
    from: 'Date.now() < keySinceMs + youngKeyMs',
    to: 'false',
    caughtBy: server('src/core/payments/forged-key.test.ts'),
  },
  {
    name: 'a merchant key is believed before it is live',
    file: 'apps/server/src/core/payments/merchant.store.ts',
    from: 'key.live_at is not null and key.retired_at is null',
    to: 'key.retired_at is null',
    caughtBy: server('src/core/payments/forged-key.test.ts'),
  },
  {
    name: 'the signature of a payment notice is not verified',
    file: 'apps/server/src/core/payments/providers/wechat/wechat-keys.ts',
    from: "return verify.verify(key, head('wechatpay-signature') ?? '', 'base64')",
    to: "return verify.verify(key, head('wechatpay-signature') ?? '', 'base64') || true",
    caughtBy: server('src/core/payments/providers/wechat/wechat-provider.test.ts'),
  },
  {
    name: 'an idempotency key is taken for another request',
    file: 'apps/server/src/kit/http/idempotency.ts',
    from: 'if (first === undefined || !first.request_hash.equals(hash))',
    to: 'if (first === undefined)',
    caughtBy: server('test/runtime/idempotency.test.ts'),
  },
  {
    name: 'a phone is not masked',
    file: 'packages/domain/src/masks.ts',
    from: "phone: (value: string) => keep(value, 3, 4, '****')",
    to: 'phone: (value: string) => value',
    caughtBy: server('test/every/personal-data.test.ts'),
  },
  {
    name: 'a cell of an export is calculated by a spreadsheet',
    file: 'packages/domain/src/sheet-text.ts',
    from: "(formulaLike.test(text) ? `'${text}` : text)",
    to: 'text',
    caughtBy: unit('domain/test/sheet-text.test.ts'),
  },
  {
    name: 'the checksum of a DNY frame is not compared',
    file: 'packages/device-protocol/src/dny/frame.ts',
    from: 'sumOf(bytes, at, at + whole - 2) === u16At(bytes, at + whole - 2)',
    to: 'sumOf(bytes, at, at + whole - 2) >= 0',
    caughtBy: unit('device-protocol/test/dny.test.ts'),
  },
  {
    name: 'prices by the clock of Greenwich',
    file: 'packages/domain/src/tariff/split.ts',
    from: 'const zoneMs = 8 * 3_600_000',
    to: 'const zoneMs = 0',
    caughtBy: unit('domain/test/tariff/split.test.ts'),
  },
  {
    name: 'no refusal when all places are taken',
    file: 'apps/server/src/kit/http/concurrency-limit.ts',
    from: 'return this.#inside >= this.#max',
    to: 'return this.#inside < 0',
    caughtBy: server('test/runtime/pressure.test.ts'),
  },
  {
    name: 'a session outlives the change of its password',
    file: 'apps/server/src/kit/auth/session-store.ts',
    from: '(session: string) => `${session}.ended_at is null',
    to: '(session: string) => `true',
    caughtBy: server('test/runtime/sessions.test.ts'),
  },
  {
    name: 'a call of the console without its token',
    file: 'apps/console/src/kit/api/api.ts',
    from: "if (token) headers.set('Authorization', `Bearer ${token}`)",
    to: '',
    caughtBy: { project: 'console', test: 'apps/console/src/kit/api/api.test.ts' },
  },
]

import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import * as devices from './screen-devices.store.ts'
import { flylines } from './screen-flylines.store.ts'
import { areaDevices } from './screen-map.store.ts'
import * as members from './screen-members.store.ts'
import * as orders from './screen-orders.store.ts'
import * as rankings from './screen-rankings.store.ts'

/**
 * No handler reads the actor. The scope decides which data are visible, so a wallboard without a session can use the
 * same routes.
 */
const bigScreenHandlers: Handlers<typeof bigScreen> = {
  deviceBaseInfo: ({ db, scope, body }) => devices.deviceBase(db, scope, body),
  deviceTodayAdd: ({ db, scope, body }) => devices.deviceTodayAdd(db, scope, body),
  deviceTodayMonthCount: ({ db, scope, body }) => devices.deviceTodayMonth(db, scope, body),
  deviceStateService: ({ db, scope, body }) => devices.deviceService(db, scope, body),
  deviceAdd: ({ db, scope, body }) => devices.deviceAdd(db, scope, body),
  deviceMapRanking: ({ db, scope, body }) => devices.areaRanking(db, scope, body, 'devices'),
  devicePortMapRanking: ({ db, scope, body }) => devices.areaRanking(db, scope, body, 'ports'),
  devicePortSum: ({ db, scope, body }) => devices.portSum(db, scope, body),
  areaDevices: ({ db, scope, body }) => areaDevices(db, scope, body),

  orderTransaction: ({ db, scope, body }) => orders.transaction(db, scope, body),
  orderAnalysis: ({ db, scope, body }) => orders.orderAnalysis(db, scope, body),
  orderNumbers: ({ db, scope, body }) => orders.orderNumbers(db, scope, body),
  orderCharging: ({ db, scope, body }) => orders.chargingAnalysis(db, scope, body),
  organiseTurnoverRanking: ({ db, scope, body }) => orders.turnoverRanking(db, scope, body),
  orderScale: ({ db, scope, body }) => orders.typeShare(db, scope, body),
  deviceTurnoverRanking: ({ db, scope, body }) => rankings.deviceTurnover(db, scope, body),
  flylines: ({ db, scope, body }) => flylines(db, scope, body),
  latestOrders: ({ db, scope, body }) => rankings.latest(db, scope, body),

  memberRegionRanking: ({ db, scope, body }) => members.memberAreas(db, scope, body),
  memberOrganiseCount: ({ db, scope, body }) => members.memberOrganises(db, scope, body),

  orderPc: ({ db, scope, query }) => orders.orderPc(db, scope, query),
  memberPc: ({ db, scope, query }) => members.memberPc(db, scope, query),
}

export const bigScreenFeature = defineFeature(bigScreen, bigScreenHandlers)

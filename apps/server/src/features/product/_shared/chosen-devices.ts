import type { ChosenRows } from '@wattdeck/contract/kit/bulk.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { filterOf } from '../../../kit/http/forms.ts'
import { invalid } from '../../../kit/http/refusal.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { devicesMatching } from '../../_shared/device-filter.ts'

/** The chosen devices, listed by id or matched by a filter. */
export function chosenDevices(db: Db, scope: Scope, { ids, filter }: ChosenRows) {
  if ((ids === undefined) === (filter === undefined)) throw invalid('当前未选择任何记录')
  const matching = devicesMatching(db, scope, filter === undefined ? {} : filterOf(deviceManage.list, filter))
  return ids === undefined ? matching : matching.where('device.id', '=', sql<string>`any(${ids})`)
}
export const targetsOf = (db: Db, scope: Scope, { ids, filter }: ChosenRows) => ({
  targets: chosenDevices(db, scope, { ids, filter }).select([
    'device.id',
    sql<string>`left(device.device_no || ' ' || device.name, 80)`.as('label'),
  ]),
  expected: ids && new Set(ids).size,
})

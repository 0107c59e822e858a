import { alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import { repairList, repairSource, repairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { popupType } from '@wattdeck/contract/auth/notification.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery, readRow } from '../../../kit/db/list-query.ts'
import type { Ctx, Handlers } from '../../../kit/http/handlers.ts'
import { notify, publishToOrganisation } from '../../../kit/events/outbox.ts'
import { conflict, invalid, orNotFound } from '../../../kit/http/refusal.ts'
import { swapPictures } from '../../../kit/files/stored-files.ts'
import { addTicket } from '../../../core/devices/repair.store.ts'
import * as store from './repair-ticket.store.ts'

const repairExport = exportOf('repairTicket', repairList, store.repairSource, {
  columns: {
    minutes: { title: '时长（分钟）', of: (row) => row.minutes },
    pictures: { title: '图片', of: (row) => row.pictureIds.length + row.resultPictureIds.length },
  },
})

type Some = Pick<Ctx<never>, 'db' | 'scope' | 'actor'>
const finished = '工单已完成，请刷新后重试'

const requireTicket = async ({ db }: Some, id: string) => orNotFound(await store.findTicket(db, id))

/** Refreshes open lists. Events are stored at the caller's place, as row-level security requires. */
async function publishChanges({ db, actor }: Some, organise_id: string): Promise<void> {
  const place = { ...placeOf(actor), organise_id }
  await publishToOrganisation(db, place, { kind: 'changed', list: 'repairTicket' })
  await publishToOrganisation(db, place, { kind: 'changed', list: 'alarm' })
}

/** Acknowledges the alarm of a new ticket. It must belong to the device and not be closed. */
async function openAlarm({ db, actor }: Some, alarmId: string, deviceId: string): Promise<void> {
  const alarm = orNotFound(await store.findAlarm(db, alarmId, deviceId))
  if (alarm.status === alarmStatus.code.closed) throw conflict('告警已关闭，不需要维修')
  await store.acknowledgeAlarm(db, alarmId, actor.userName)
}

const repairTicketHandlers: Handlers<typeof repairTicket> = {
  list: ({ db, scope, query }) => listQuery(db, scope, repairList, store.repairSource, query),

  read: async ({ db, scope, params }) => {
    return orNotFound(await readRow(db, scope, repairList, store.repairSource, params.id))
  },

  people: async (ctx) => {
    const ticket = orNotFound(await store.readPlace(ctx.db, ctx.query.id))
    const people = await store.peopleFor(ctx.db, ctx.scope, ticket, { keyword: ctx.query.keyword })
    return people.map(({ id, name, userType }) => ({ id, name, userType }))
  },

  add: async (ctx) => {
    const { db, actor, body } = ctx
    const device = await store.findDevice(db, body.deviceNo)
    if (device === undefined) throw invalid('没有找到该设备', 'deviceNo')
    if (body.portNo !== undefined && body.portNo > device.port_count) throw invalid('设备没有该端口', 'portNo')
    if (body.alarmId !== undefined) await openAlarm(ctx, body.alarmId, device.id)
    const place = { organise_id: device.organise_id, agent_id: device.agent_id, site_id: device.site_id }
    const picture_ids = body.pictureIds ?? []
    await swapPictures(db, actor, [], picture_ids, place)
    const id = await addTicket(db, {
      ...place,
      device_id: device.id,
      device_no: device.device_no,
      port_no: body.portNo ?? null,
      alarm_id: body.alarmId ?? null,
      fault: body.fault,
      description: body.description,
      picture_ids,
      reporter: body.reporter ?? null,
      phone: body.phone ?? null,
      source: body.alarmId === undefined ? repairSource.code.person : repairSource.code.alarm,
      priority: body.priority,
      created_by: actor.userName,
    })
    await publishChanges(ctx, device.organise_id)
    return { id }
  },

  assign: async (ctx) => {
    const { db, scope, actor, body } = ctx
    const ticket = await requireTicket(ctx, body.id)
    const [person] = await store.peopleFor(db, scope, ticket, { id: body.assigneeId })
    if (person === undefined) throw invalid('该人员不能处理此工单', 'assigneeId')
    if (person.id === ticket.assignee_id) throw conflict('工单已派给该人员')
    if (!(await store.assign(db, body.id, person.id, actor.userName))) throw conflict(finished)
    const { organise_id, agent_id, site_id } = person
    await notify(
      db,
      { organise_id, agent_id, site_id, userId: person.id },
      {
        type: popupType.code.system,
        title: '新的维修工单',
        body: `${ticket.ticket_no}，设备 ${ticket.device_no}，由${actor.userName}派给您`,
        route: `/product/repairTicket?ticket=${ticket.id}`,
      },
    )
    await publishChanges(ctx, ticket.organise_id)
    return null
  },

  complete: async (ctx) => {
    const { db, actor, body } = ctx
    const ticket = await requireTicket(ctx, body.id)
    if (ticket.healthy === false && body.reason === undefined) throw invalid('设备尚未恢复正常，请填写原因', 'reason')
    const { organise_id, agent_id, site_id } = ticket
    const result_picture_ids = body.pictureIds ?? []
    await swapPictures(db, actor, [], result_picture_ids, { organise_id, agent_id, site_id })
    const ending = { result: body.result, parts: body.parts ?? null, reason: body.reason ?? null, result_picture_ids }
    if (!(await store.complete(db, body.id, actor.userName, ending))) throw conflict(finished)
    if (ticket.alarm_id !== null) {
      const why = body.reason === undefined ? '' : `，${body.reason}`
      await store.closeAlarm(db, ticket.alarm_id, actor.userName, `工单 ${ticket.ticket_no} 已完成${why}`.slice(0, 200))
    }
    await publishChanges(ctx, organise_id)
    return null
  },

  /** Closes a ticket without a repair. The alarm stays until the device recovers or a user closes it. */
  close: async (ctx) => {
    const ticket = await requireTicket(ctx, ctx.body.id)
    ctx.setAuditDetail(ctx.body.reason)
    const ending = { reason: ctx.body.reason }
    if (!(await store.complete(ctx.db, ctx.body.id, ctx.actor.userName, ending))) throw conflict(finished)
    await publishChanges(ctx, ticket.organise_id)
    return null
  },

  exportList: exportHandler(repairExport),
}

export const repairTicketFeature = defineFeature(repairTicket, repairTicketHandlers, { exports: [repairExport] })

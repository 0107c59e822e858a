import { session } from '@wattdeck/contract/auth/session.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { makeFixture, makePerson } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
const read = async (token: string) => (await api.call(token, session.userInfo)).data

describe('the session of a person', () => {
  it('contains the device types that the person sees, and the category of most devices', async () => {
    const before = await read(fixture.green.admin.token)
    expect(before).toMatchObject({ deviceTypes: [], currentCategoryCode: null })
    const { id: organiseId, subAgentId: agentId, siteId } = fixture.green
    await makeDevice(api, { organiseId, agentId, siteId, typeId: models.mqtt })
    await makeDevice(api, { organiseId, agentId, siteId, typeId: models.mqtt })
    await makeDevice(api, { organiseId, typeId: models.dny })
    const [mqtt, dny] = await Promise.all(
      [models.mqtt, models.dny].map(
        async (id) =>
          (
            await api.sql<{ id: string; code: string; name: string; category: string }>(
              `select type.id, type.code, type.name, category.code as category
               from device_type type join device_category category on category.id = type.category_id where type.id = $1`,
              [id],
            )
          )[0],
      ),
    )
    const shown = ({ id, code, name }: { id: string; code: string; name: string }) => ({ id, code, name })
    if (mqtt === undefined || dny === undefined) throw new Error('no types')
    const { deviceTypes, currentCategoryCode } = await read(fixture.green.admin.token)
    expect(deviceTypes).toEqual([shown(mqtt), shown(dny)])
    expect(currentCategoryCode).toBe(mqtt.category)
    expect((await read(fixture.green.site.token)).deviceTypes).toEqual([shown(mqtt)])
    expect((await read(fixture.swift.admin.token)).deviceTypes).toEqual([])
  })

  it('contains the full path of the department', async () => {
    const { id: organiseId } = fixture.green
    let parentId: string | null = null
    for (const name of ['总部', '华东', '杭州', '运维']) {
      const [departmentRow]: { id: string }[] = await api.sql(
        'insert into department (organise_id, parent_id, name, code, type) values ($1, $2, $3, $4, 1) returning id',
        [organiseId, parentId, name, `path${name}`],
      )
      parentId = departmentRow?.id ?? null
    }
    const person = await makePerson(api, { organiseId, loginName: 'deep_department' })
    await api.sql('update user_account set department_id = $2 where id = $1', [person.id, parentId])
    expect(await read(person.token)).toMatchObject({
      departmentFullName: '总部 / 华东 / 杭州 / 运维',
      parentDepartmentName: '杭州',
    })
  })
})

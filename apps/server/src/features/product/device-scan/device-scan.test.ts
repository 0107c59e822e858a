import { deviceScan } from '@wattdeck/contract/product/device-scan.ts'
import { qrCodeManage } from '@wattdeck/contract/system/qr-code-manage.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { type Actor, makePerson, makeFixture } from '../../../../test/harness/people.ts'
import { makeCode } from '../../../../test/fixtures/qr-rows.ts'

let installer: Actor
const menus = ['4', '4.1', '4.1.8']
const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
beforeAll(async () => {
  const { id: organiseId, subAgentId: agentId } = fixture.green
  installer = await makePerson(api, { organiseId, agentId, loginName: 'green_scans', userType: 4, menus })
})

const place = () => ({ organiseId: fixture.green.id, agentId: fixture.green.subAgentId })
let serial = 0
async function device(more: { siteId?: string; organiseId?: string; agentId?: string } = {}) {
  const deviceNo = `SC${String(++serial).padStart(6, '0')}`
  return { deviceNo, id: await makeDevice(api, { ...place(), typeId: models.dny, deviceNo, ...more }) }
}
const resolve = (text: string, typed?: boolean) =>
  api.call(installer.token, deviceScan.resolve, { query: { text, ...(typed === undefined ? {} : { typed }) } })

describe('a scanned text', () => {
  it('that is a signed code returns its device, its port and their place', async () => {
    const own = await device({ siteId: fixture.green.siteId })
    const code = await makeCode(api, { ...place(), siteId: fixture.green.siteId, portNo: 2, deviceId: own.id })
    expect((await resolve(code.content)).data).toMatchObject({
      code: { codeNo: code.codeNo, portNo: 2, status: 1 },
      device: { deviceNo: own.deviceNo, siteName: '站点green', online: false },
      port: { portNo: 2, status: 1, enabled: true },
    })
  })

  it('is refused when it is an address without our signature', async () => {
    const code = await makeCode(api, place())
    const forged = code.content.replace(/.$/, (letter) => (letter === '0' ? '1' : '0'))
    for (const text of [forged, 'https://evil.example.com/c/x', `${code.content}?x=1`])
      expect(await resolve(text)).toMatchObject({ status: 422, message: '二维码无效，或不是本平台的二维码' })
    expect((await resolve(forged, true)).status).toBe(422)
  })

  it('that is no address is read as a device number, and as a code only when a user typed it', async () => {
    const own = await device()
    const code = await makeCode(api, { ...place(), deviceId: own.id })
    expect((await resolve(own.deviceNo)).data).toMatchObject({ code: null, device: { id: own.id }, port: null })
    expect((await resolve(code.codeNo)).status).toBe(404)
    expect((await resolve(code.codeNo.toLowerCase(), true)).data.code?.codeNo).toBe(code.codeNo)
  })

  it('of another organisation finds nothing', async () => {
    const { id: organiseId, subAgentId: agentId } = fixture.swift
    const theirs = await device({ organiseId, agentId })
    const code = await makeCode(api, { organiseId, agentId, deviceId: theirs.id })
    expect((await resolve(code.content)).status).toBe(404)
    expect((await resolve(theirs.deviceNo)).status).toBe(404)
  })
})

describe('an installer', () => {
  it('binds a code and sets the site of the device', async () => {
    const own = await device()
    const code = await makeCode(api, place())
    const body = { id: code.id, deviceNo: own.deviceNo }
    expect((await api.call(installer.token, qrCodeManage.bind, { body })).status).toBe(200)
    const placeAt = (siteId: string) =>
      api.call(installer.token, deviceScan.place, { body: { deviceId: own.id, siteId } })
    expect((await placeAt(fixture.swift.siteId)).status).toBe(404)
    expect((await placeAt(fixture.green.siteId)).status).toBe(200)
    expect((await resolve(code.content)).data.device).toMatchObject({ siteName: '站点green' })
    const [row] = await api.sql('select installed_by from device where id = $1', [own.id])
    expect(row).toEqual({ installed_by: `姓名${installer.loginName}` })
  })
})

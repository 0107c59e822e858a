import { randomBytes } from 'node:crypto'
import type { TestApi } from './api.ts'
import { makeDevice, makeModels } from './devices.ts'

/** A certificate as if it had been issued; nobody holds its key. */
export async function makeCredential(api: TestApi, deviceId: string): Promise<string> {
  const [made] = await api.sql<{ id: string }>(
    `insert into device_credential (organise_id, agent_id, site_id, device_id, kind, batch_no, fingerprint, serial, expires_at, valid_until, created_by)
     select organise_id, agent_id, site_id, id, 'cert', 'K20260101-TEST', $2, $3, now() + interval '1 year', now() + interval '1 year', '张伟'
     from device where id = $1 returning id`,
    [deviceId, randomBytes(32).toString('hex'), randomBytes(16).toString('hex')],
  )
  return made?.id ?? ''
}

/** Devices that the routes below are called for. */
export async function makeCredentialDevices(api: TestApi, organiseId: string): Promise<void> {
  const { mqtt } = await makeModels(api)
  await makeDevice(api, { organiseId, typeId: mqtt, deviceNo: 'AUTH0001' })
  const other = await makeDevice(api, { organiseId, typeId: mqtt, deviceNo: 'AUTHPW01' })
  await api.sql("update device set adapter = 'ocpp16' where id = $1", [other])
}

/** For CN=AUTH0001, made by OpenSSL; its key is gone. */
const csr = `-----BEGIN CERTIFICATE REQUEST-----
MIHOMHUCAQAwEzERMA8GA1UEAwwIQVVUSDAwMDEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARzz+2rBYczVuIM6SvxQ8WxezAt85gABmapkxfsvY1gU19QYk+gBT/n
HeqP72QWKY658didD2q4b7KwynAPP47moAAwCgYIKoZIzj0EAwIDSQAwRgIhAKfx
PAYM/UdpwhcSputL/H7oOH+84FvQd2XT+P6zPQyOAiEAjoFlnOLjM32isuBQe0Hc
M3kxMRIb80DQ8jC8epW1/Is=
-----END CERTIFICATE REQUEST-----`

export const credentialFitting: Record<string, Record<string, unknown>> = {
  'deviceAuth.issueKeys': { deviceNos: 'AUTH0001' },
  'deviceAuth.issueByCsr': { deviceNo: 'AUTH0001', csr },
  'deviceAuth.setPassword': { deviceNo: 'AUTHPW01' },
  'deviceAuth.exportList': { query: 'state=1', columns: 'deviceNo,state' },
}

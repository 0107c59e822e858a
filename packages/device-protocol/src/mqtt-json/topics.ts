/** A device number is client id, user name, certificate CN and topic level, so it excludes / + and #. */
const deviceNo = /^[0-9A-Za-z_-]{1,32}$/
const topic = /^d\/([0-9A-Za-z_-]{1,32})\/(up|down)$/

export const isDeviceNo = (text: string): boolean => deviceNo.test(text)
export const upTopic = (no: string): string => `d/${no}/up`
export const downTopic = (no: string): string => `d/${no}/down`
/** Topic filter of the gateways. */
export const allUpTopics = 'd/+/up'

export function parseTopic(text: string): { deviceNo: string; direction: 'up' | 'down' } | undefined {
  const [, no, direction] = topic.exec(text) ?? []
  return no !== undefined && (direction === 'up' || direction === 'down') ? { deviceNo: no, direction } : undefined
}

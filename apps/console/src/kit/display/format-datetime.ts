const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'medium' })

/** 'YYYY-MM-DD HH:mm:ss' in Asia/Shanghai, the format of times on the wire. */
export const formatDatetime = (atMs: number) => clock.format(atMs)

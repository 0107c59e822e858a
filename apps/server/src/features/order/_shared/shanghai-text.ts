const zoneMs = 8 * 3_600_000

/** A moment as replies write it; Asia/Shanghai has been eight hours ahead all year round since 1991. */
export const shanghaiText = (atMs: number) => new Date(atMs + zoneMs).toISOString().slice(0, 19).replace('T', ' ')

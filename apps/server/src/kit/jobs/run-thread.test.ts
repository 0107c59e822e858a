import { describe, expect, it } from 'vitest'
import { runThread } from './run-thread.ts'

const moduleOf = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort, workerData } from 'node:worker_threads'\n${code}`)}`,
  )
const run = (code: string, { data = {}, cpuLimitMs = 10_000, memoryMb = 64 } = {}) =>
  runThread<unknown>(moduleOf(code), { data, cpuLimitMs, memoryMb })

describe('a thread', () => {
  it('resolves with the message that it posts', async () => {
    expect(await run('parentPort.postMessage(workerData.n + 1)', { data: { n: 41 } })).toBe(42)
  })

  it('is terminated when it exceeds its CPU time', async () => {
    await expect(run('for (;;);', { cpuLimitMs: 300 })).rejects.toMatchObject({ limit: 'cpu' })
  })

  it('may wait longer than its CPU time', async () => {
    expect(await run("setTimeout(() => parentPort.postMessage('late'), 900)", { cpuLimitMs: 600 })).toBe('late')
  })

  it('is terminated when it exceeds its memory limit', async () => {
    const code = 'const held = []\nfor (;;) held.push(new Array(100_000).fill({}))'
    await expect(run(code)).rejects.toMatchObject({ limit: 'memory' })
  })

  it('rejects with its own error, or when it ends without a message', async () => {
    await expect(run("throw new Error('broken')")).rejects.toThrow('broken')
    await expect(run('')).rejects.toThrow('without an answer')
  })
})

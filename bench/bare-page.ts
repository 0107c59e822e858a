import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { executable, flags } from '../e2e/chromium.ts'

type Reply = { id?: number; result?: unknown; error?: { message: string }; method?: string; params?: unknown }
type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void }

/** The protocol of a browser's tools, as far as measuring needs it. */
class Tools {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners = new Map<string, (params: never) => void>()
  #last = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data)) as Reply))
  }

  static async open(url: string): Promise<Tools> {
    const socket = new WebSocket(url)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error(`no tools at ${url}`)))
    })
    return new Tools(socket)
  }

  #take({ id, result, error, method, params }: Reply): void {
    if (method !== undefined) this.#listeners.get(method)?.(params as never)
    const waiting = this.#waiting.get(id ?? 0)
    if (waiting === undefined) return
    this.#waiting.delete(id ?? 0)
    if (error === undefined) waiting.resolve(result)
    else waiting.reject(new Error(error.message))
  }

  send<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#last
    const reply = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    this.#socket.send(JSON.stringify({ id, method, params }))
    return reply as Promise<T>
  }

  on(event: string, listener: (params: never) => void): void {
    this.#listeners.set(event, listener)
  }
}

export type BarePage = Awaited<ReturnType<typeof openBarePage>>

/**
 * A page in a browser of its own that is watched as little as possible. Playwright and the like have the browser keep every
 * reply of the server for somebody who may ask for it, in the process of the page: there it would look like a leak.
 */
export async function openBarePage({ width, height }: { width: number; height: number }) {
  const dir = mkdtempSync(join(tmpdir(), 'wattdeck-page-'))
  const own = [`--user-data-dir=${dir}`, '--headless=new', '--remote-debugging-port=0', '--lang=zh-CN', 'about:blank']
  const child = spawn(executable, [...flags, ...own], { stdio: 'ignore' })
  process.once('exit', () => child.kill('SIGKILL'))
  const port = await portOf(dir)
  const read = async <T>(path: string) => (await (await fetch(`http://127.0.0.1:${port}/json/${path}`)).json()) as T
  type Target = { type: string; webSocketDebuggerUrl: string }
  const target = (await read<Target[]>('list')).find(({ type }) => type === 'page')
  const tools = await Tools.open(target?.webSocketDebuggerUrl ?? '')
  const browser = await Tools.open((await read<Target>('version')).webSocketDebuggerUrl)
  await tools.send('Page.enable')
  await tools.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })

  type Evaluated<T> = { result: { value: T }; exceptionDetails?: { text: string } }
  async function evaluate<T>(expression: string): Promise<T> {
    const asked = { expression, returnByValue: true, awaitPromise: true }
    const { result, exceptionDetails } = await tools.send<Evaluated<T>>('Runtime.evaluate', asked)
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${exceptionDetails.text}`)
    return result.value
  }
  return {
    tools,
    evaluate,
    /** Runs before anything of each page that is opened. */
    first: (source: string) => tools.send('Page.addScriptToEvaluateOnNewDocument', { source }),
    go: (url: string) => tools.send('Page.navigate', { url }),
    waitFor: async (selector: string) => {
      while (!(await evaluate<boolean>(`document.querySelector(${JSON.stringify(selector)}) !== null`)))
        await sleep(200)
    },
    /** The process that the page is drawn in: the largest of those that draw. */
    processId: async () => {
      type Found = { processInfo: { id: number; type: string }[] }
      const { processInfo } = await browser.send<Found>('SystemInfo.getProcessInfo')
      const drawing = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => ({ id, mb: privateMb(id) }))
      const [largest] = drawing.toSorted((a, b) => b.mb - a.mb)
      if (largest === undefined) throw new Error('the browser has no page')
      return largest.id
    },
    close: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      await browser.send('Browser.close').catch(() => child.kill('SIGKILL'))
      await gone
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** The browser writes down where it listens. */
async function portOf(dir: string): Promise<string> {
  for (let tries = 0; tries < 300; tries++) {
    try {
      const [port] = readFileSync(join(dir, 'DevToolsActivePort'), 'utf8').split('\n')
      if (port) return port
    } catch {}
    await sleep(100)
  }
  throw new Error('the browser does not come')
}

/** What a process has for itself. */
export const privateMb = (id: number): number =>
  Number(/Private_Dirty:\s+(\d+)/.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1000

import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { type CallInput, fetchFile } from './api.ts'

// The browser reads the object URL after the click has returned.
const urlLifetimeMs = 60_000

/** Returns a name that every file system accepts. */
export const fileName = (title: string, ending: string) =>
  `${title.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '_').slice(0, 80)}.${ending}`

/** Starts a download in the browser. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), urlLifetimeMs)
}

export const saveText = (name: string, text: string) =>
  saveBlob(new Blob([text], { type: 'text/plain;charset=utf-8' }), name)

/** Fetches a file and saves it. Rejects with an ApiError. */
export async function saveFile<R extends AnyRoute>(route: R, input: CallInput<R> = {}): Promise<void> {
  const { blob, name } = await fetchFile(route, input)
  saveBlob(blob, name)
}

import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { type CallInput, fetchFile } from './api.ts'

// The browser reads it after the click has returned.
const keptMs = 60_000

/** Names that every file system takes. */
export const fileName = (title: string, ending: string) =>
  `${title.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, '_').slice(0, 80)}.${ending}`

/** Hands something to the browser to be saved. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), keptMs)
}

export const saveText = (name: string, text: string) =>
  saveBlob(new Blob([text], { type: 'text/plain;charset=utf-8' }), name)

/** Fetches a file and saves it. Rejects with an ApiError. */
export async function saveFile<R extends AnyRoute>(route: R, input: CallInput<R> = {}): Promise<void> {
  const { blob, name } = await fetchFile(route, input)
  saveBlob(blob, name)
}

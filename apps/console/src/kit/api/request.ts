import { type AnyRoute, fillPath } from '@wattdeck/contract/kit/route.ts'
import { splitPrivate } from '../list/private-query.ts'
import { dropEmpty, wireText } from '@wattdeck/domain/params.ts'

export type Fields = Record<string, unknown>
export type Sending = { params?: Fields; query?: Fields; body?: Fields; file?: Blob }

/** Fields as text, without empty values and empty lists. */
export function textFields(fields: Fields = {}): Record<string, string> {
  const texts = Object.entries(dropEmpty(fields)).map(([name, value]) => [name, wireText(value)] as const)
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}

/** Returns the URL of a call, and the personal part of its query for a header; '' when there is none. */
export function requestAddress(route: AnyRoute, { params, query }: Sending): { url: string; hiddenQuery: string } {
  const path = fillPath(route.path, params as Record<string, string>)
  const { open, hidden } = splitPrivate(route.query, new URLSearchParams(textFields(query)))
  return { url: open.size === 0 ? path : `${path}?${open.toString()}`, hiddenQuery: hidden.toString() }
}

function multipart(fields: Fields | undefined, file: Blob | undefined): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(textFields(fields))) form.append(name, value)
  if (file) form.append('file', file)
  return form
}

/** Returns the body and its content type; the browser sets the type of a multipart body. */
export function requestBody(route: AnyRoute, { body, file }: Sending): { body?: BodyInit; contentType?: string } {
  if (route.method === 'GET') return {}
  if (route.encoding === 'json') return { body: JSON.stringify(dropEmpty(body ?? {})), contentType: 'application/json' }
  if (route.encoding === 'multipart') return { body: multipart(body, file) }
  return {
    body: new URLSearchParams(textFields(body)).toString(),
    contentType: 'application/x-www-form-urlencoded;charset=UTF-8',
  }
}

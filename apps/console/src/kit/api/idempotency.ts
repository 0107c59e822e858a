import { uniqueId } from './unique-id.ts'

/**
 * Idempotency key of a form: reused while the same content is sent again, new for other content and after success.
 * If the first response was lost, the retry receives the same response.
 */
export function idempotencyKeys(make: () => string = uniqueId) {
  let key = make()
  let sent: string | undefined
  return {
    keyFor(content: string): string {
      if (sent !== undefined && sent !== content) key = make()
      sent = content
      return key
    },
    succeeded() {
      key = make()
      sent = undefined
    },
  }
}

import { uniqueId } from './unique-id.ts'

/**
 * One key for one intention: kept while the same content is sent again, new for other content and after success.
 * The first arrival may have been answered into a broken line; the second then gets that answer.
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

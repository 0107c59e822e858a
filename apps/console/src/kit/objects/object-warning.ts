import { errorText } from '../api/error-handling.ts'
import type { Toast } from '../display/toasts.ts'

/** What a card says when the facts of an object cannot be read (spec §8, of a member): a warning in the server's words. */
export const objectWarning = (error: unknown): Toast => ({ tone: 'warning', text: errorText(error) })

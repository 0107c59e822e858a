import { errorText } from '../api/error-handling.ts'
import type { Toast } from '../display/toasts.ts'

/** The warning of a card whose facts cannot be read (spec §8, of a member), with the server's message. */
export const objectWarning = (error: unknown): Toast => ({ tone: 'warning', text: errorText(error) })

import { errorText } from '../api/error-handling.ts'
import type { Toast } from './toasts.ts'

/** What is shown when the details of a member cannot be had (spec §8): a warning in the server's words. */
export const memberWarning = (error: unknown): Toast => ({ tone: 'warning', text: errorText(error) })

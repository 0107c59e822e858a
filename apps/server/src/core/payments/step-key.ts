import * as store from './candidate-key.store.ts'
import { notifyKeyStep } from './key-notice.ts'
import type { Answer, Provider } from './provider.ts'
import { pauseOf, type StepTools } from './step-tools.ts'

const pauses = [2, 5, 15, 60, 300, 900]
const unproven = '渠道未答复，或答复无法用所填的渠道公钥验证，将再次验证'

/**
 * Tries an approved key: queries a payment that never existed. The provider answers only a request with a valid signature.
 * The answer counts only if the candidate key of the provider verifies it.
 */
export async function stepKey(key: store.DueKey, tools: StepTools, provider: Provider | undefined): Promise<void> {
  const { merchant, within } = tools
  const answer: Answer<object> =
    provider === undefined
      ? { result: 'unknown', why: 'the key cannot be read' }
      : await provider.query(`KEY${key.id.padStart(8, '0')}`)
  const proven = answer.result === 'done' || (answer.result === 'refused' && answer.absent === true)
  await within(async (db, scope) => {
    if (proven) {
      if (await store.makeKeyLive(db, key.id)) await notifyKeyStep(db, scope, merchant, key, 'live')
    } else if (key.old) {
      if (await store.giveUpKey(db, key.id)) await notifyKeyStep(db, scope, merchant, key, 'unproven')
    } else {
      const words = answer.result === 'refused' ? `渠道拒绝：${answer.words}` : unproven
      await store.tryKeyLater(db, key.id, words, pauseOf(pauses, key.tries))
    }
  })
}

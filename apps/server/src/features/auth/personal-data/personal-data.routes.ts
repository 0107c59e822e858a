import { personalData } from '@wattdeck/contract/auth/personal-data.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { forbidden, orNotFound } from '../../../kit/http/refusal.ts'
import type { Vault } from '../../../kit/crypto/vault.ts'
import { assertMayReveal } from '../../_shared/reveal.ts'
import { isSealed, revealSecondsLeft, readValue } from '../../_shared/reveal.store.ts'

// No store: reveal.store.ts decides which values are readable, and for how long.
const personalDataHandlers = (vault: Vault): Handlers<typeof personalData> => ({
  read: async ({ db, actor, query }) => {
    assertMayReveal({ actor }, query.kind, query.field)
    const seconds = await revealSecondsLeft(db, actor.userId, query)
    if (seconds === undefined) throw forbidden()
    const found = orNotFound(await readValue(db, query.kind, query.field, query.rowId))
    const { value } = found
    return { value: value !== null && isSealed(query.kind, query.field) ? vault.open(value) : value, seconds }
  },
})

export const personalDataFeature = defineFeature(personalData, ({ vault }) => personalDataHandlers(vault))

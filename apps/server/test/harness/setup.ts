import { afterAll } from 'vitest'
import { running } from './api.ts'

// Registered here, because a hook registered inside another hook is never called.
afterAll(async () => {
  for (const stop of running.splice(0).toReversed()) await stop()
})

import { configureGlobal } from 'fast-check'
import { seedNumber } from './tier.ts'

/** Setup file of Vitest: properties draw their examples from the commit, so a failure repeats. */
configureGlobal({ seed: seedNumber('fast-check') | 0 })

import { configureGlobal } from 'fast-check'
import { seedNumber } from './tier.ts'

/** Setup file of Vitest: property tests derive their examples from the commit, so a failure repeats. */
configureGlobal({ seed: seedNumber('fast-check') | 0 })

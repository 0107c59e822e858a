import { masks, type PersonalClass } from '@wattdeck/domain/masks.ts'
import { z } from 'zod'

/**
 * A field of a reply that belongs to a person. The schema itself puts the mask on, so whatever a handler hands over,
 * and whichever way it leaves (list, detail, export, stream), the value is masked; the clear one has a call of its own.
 */
export const personal = (of: PersonalClass) => z.string().overwrite(masks[of]).meta({ personal: of })

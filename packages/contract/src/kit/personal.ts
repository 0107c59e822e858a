import { masks, type PersonalClass } from '@wattdeck/domain/masks.ts'
import { z } from 'zod'

/**
 * A reply field with personal data. The schema itself applies the mask, so the value is masked in every kind of reply
 * (list, detail, export, stream). The unmasked value has its own route.
 */
export const personal = (of: PersonalClass) => z.string().overwrite(masks[of]).meta({ personal: of })

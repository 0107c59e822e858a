import { z } from 'zod'
import { get } from '../kit/route.ts'
import { adcode, row } from '../kit/wire.ts'

export type Region = z.infer<typeof Region>
export const Region = row({
  adcode: z.string(),
  name: z.string(),
  /** 1 province, 2 city, 3 district. */
  level: z.number().int(),
  lng: z.number(),
  lat: z.number(),
  /** The centre is that of the region above. */
  approximate: z.boolean(),
  /** Nothing below: a path ends here, at whichever level. */
  leaf: z.boolean(),
})

/** Where something is, in a form. Spread into a body; the server asks `knownRegion` whether the three fit together. */
export const regionFields = {
  provinceCode: adcode.optional(),
  cityCode: adcode.optional(),
  districtCode: adcode.optional(),
}
/** The same in the query of a list, where a province alone means all of it. */
export const regionFilter = { ...regionFields }

/** No screen of its own: fields and filters of other screens choose from it. */
export const region = {
  children: get('/seeker/api/region/children', {
    access: 'anyone',
    /** Without a parent: the provinces. */
    query: row({ parent: adcode.optional() }),
    data: z.array(Region),
  }),
}

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
  /** The centre is that of the parent region. */
  approximate: z.boolean(),
  /** Has no children: a path ends here, at any level. */
  leaf: z.boolean(),
})

/** The region in a form. Spread into a body; the server validates the three codes together by `requireRegion`. */
export const regionFields = {
  provinceCode: adcode.optional(),
  cityCode: adcode.optional(),
  districtCode: adcode.optional(),
}
/** The same in the query of a list; a province alone includes all of it. */
export const regionFilter = { ...regionFields }

/** Has no screen; fields and filters of other screens use it. */
export const region = {
  children: get('/seeker/api/region/children', {
    access: 'anyone',
    /** Without a parent: the provinces. */
    query: row({ parent: adcode.optional() }),
    data: z.array(Region),
  }),
}

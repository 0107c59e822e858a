import { z } from 'zod'
import { get } from '../kit/route.ts'
import { id, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

export type DepartmentNode = { id: string; name: string; parentId: string | null; children: DepartmentNode[] }
export const DepartmentNode: z.ZodType<DepartmentNode> = row({
  id: z.string(),
  name: z.string(),
  parentId: z.string().nullable(),
  children: z.array(z.lazy(() => DepartmentNode)),
}).meta({ id: 'DepartmentNode' })

/** Separate from the list of departments, so that the other screens with a tree do not load it. */
export const departmentTree = get('/seeker/api/department/query/{organiseId}', {
  access: { menu: [menuKey.department, menuKey.staff] },
  params: row({ organiseId: id }),
  data: z.array(DepartmentNode),
})

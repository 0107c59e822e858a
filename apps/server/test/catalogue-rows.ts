import type { TestApi } from './api.ts'

let made = 10

/** One row of each part of the product catalogue that nothing else stands on, and a type that stands on delivered ones. */
export async function makeCatalogue(api: TestApi) {
  const tag = `K${++made}${Math.random().toString(36).slice(2, 8).toUpperCase()}`
  const one = async (text: string, values: unknown[]) =>
    (await api.sql<{ id: string }>(`${text} returning id`, values))[0]?.id ?? ''
  const addBig = (code: number) =>
    one("insert into device_category (level, code, name) values (1, $1, '大类')", [String(code)])
  const category = await addBig(made)
  const parent = await addBig((made += 1))
  const smallCategory = await one(
    "insert into device_category (parent_id, level, code, name) values ($1, 2, $2, '小类')",
    [parent, `${made}-01`],
  )
  const protocol = await one(
    `insert into dtu_protocol (code, name, version, adapter, transport, access_way, heartbeat_s) values ($1, '协议', 'V1', 'dny', 1, 0, 60)`,
    [tag],
  )
  const instructionSet = await one("insert into instruction_set (code, name, version) values ($1, '指令集', 'V1')", [
    tag,
  ])
  const instruction = await one(
    "insert into instruction (instruction_set_id, name, command_word, direction) values ($1, '心跳', '0x21', 1)",
    [instructionSet],
  )
  const addAttribute = (identifier: string) =>
    one(
      "insert into platform_attribute (identifier, name, data_type, access, group_name) values ($1, '属性', 1, 3, '组')",
      [identifier],
    )
  const platformAttribute = await addAttribute(`a${tag}`)
  const attributeTemplate = await one("insert into attribute_template (name, version) values ($1, 'V1')", [tag])
  await api.sql(
    "insert into attribute_template_item (attribute_template_id, platform_attribute_id, default_value, sort) values ($1, $2, '5', 1)",
    [attributeTemplate, await addAttribute(`b${tag}`)],
  )
  const deviceType = await one(
    `insert into device_type (code, name, category_id, small_category_id, port_count, metering, rated_w, protocol_id)
     select $1, '型号', $2, $3, 10, 0, 100, id from dtu_protocol where code = 'DNY'`,
    [`${made}-01-01`, parent, smallCategory],
  )
  const rows = { protocol, category, smallCategory, instructionSet, instruction, platformAttribute, attributeTemplate }
  return { ...rows, deviceType }
}

/** The kind of row that a field of these names means. */
export const catalogueFields: Record<string, keyof Awaited<ReturnType<typeof makeCatalogue>>> = {
  protocolId: 'protocol',
  categoryId: 'category',
  smallCategoryId: 'smallCategory',
  instructionSetId: 'instructionSet',
  instructionId: 'instruction',
  attributeTemplateId: 'attributeTemplate',
  deviceTypeId: 'deviceType',
}
/** And of the ids of these features. */
export const catalogueFeatures: typeof catalogueFields = {
  dtuProtocol: 'protocol',
  deviceCategory: 'category',
  deviceType: 'deviceType',
  instructionSet: 'instructionSet',
  attributeTemplate: 'attributeTemplate',
  platformAttribute: 'platformAttribute',
}

import type pg from 'pg'
import * as delivered from './catalogue-data.ts'

type Client = pg.Client | pg.PoolClient

/**
 * Adds the categories, protocols, instruction sets, attributes and device types that are not there. What people have
 * made of one stays; instructions and attributes are given to a set or template only when it is made.
 */
export async function ensureCatalogue(client: Client): Promise<void> {
  await addCategories(client)
  await addProtocols(client)
  for (const set of delivered.instructionSets) await addInstructionSet(client, set)
  await addAttributes(client)
  await addTypes(client)
}

async function addCategories(client: Client): Promise<void> {
  const rows = delivered.categories.map((category, place) => ({ ...category, sort: (place + 1) * 10 }))
  // The big ones first: a statement does not see what it adds itself.
  for (const level of [1, 2])
    await client.query(
      `insert into device_category (parent_id, level, code, name, icon, sort)
       select above.id, $2::smallint, one.code, one.name, one.icon, one.sort
       from jsonb_to_recordset($1) as one (code text, name text, icon text, sort int)
       left join device_category above on above.level = 1 and above.code = left(one.code, 2) and length(one.code) > 2
       where (length(one.code) > 2) = ($2::smallint = 2) on conflict do nothing`,
      [JSON.stringify(rows), level],
    )
}

async function addProtocols(client: Client): Promise<void> {
  await client.query(
    `insert into dtu_protocol (code, name, version, adapter, transport, access_way, endpoint, heartbeat_s, missed_heartbeats, frame_format, remark)
     select code, name, version, adapter, transport, 0, endpoint, "heartbeatS", missed, frame, remark
     from jsonb_to_recordset($1) as one (code text, name text, version text, adapter text, transport smallint, endpoint text,
       "heartbeatS" int, missed smallint, frame text, remark text) on conflict do nothing`,
    [JSON.stringify(delivered.protocols)],
  )
}

async function addInstructionSet(client: Client, set: (typeof delivered.instructionSets)[number]): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `insert into instruction_set (code, name, version, protocol_id)
     select $1, $2, $3, id from dtu_protocol where code = $4 on conflict do nothing returning id`,
    [set.code, set.name, set.version, set.protocol],
  )
  const id = rows[0]?.id
  if (id === undefined) return
  const instructions = set.instructions.map(
    ([word, name, direction, params, { timeoutS = 15, retries = 1 } = {}], at) => ({
      word,
      name,
      direction,
      params: params === '无' ? null : params,
      timeoutS,
      retries,
      sort: (at + 1) * 10,
    }),
  )
  await client.query(
    `insert into instruction (instruction_set_id, command_word, name, direction, params, timeout_s, retries, sort)
     select $1, word, name, direction, params, "timeoutS", retries, sort
     from jsonb_to_recordset($2) as one (word text, name text, direction smallint, params text, "timeoutS" int, retries smallint, sort int)`,
    [id, JSON.stringify(instructions)],
  )
}

async function addAttributes(client: Client): Promise<void> {
  await client.query(
    `insert into platform_attribute (identifier, name, data_type, unit, minimum, maximum, default_value, access, group_name)
     select identifier, name, "dataType", unit, (range->>0)::numeric, (range->>1)::numeric, value, access, "group"
     from jsonb_to_recordset($1) as one (identifier text, name text, "dataType" smallint, unit text, range jsonb,
       value text, access smallint, "group" text) on conflict do nothing`,
    [JSON.stringify(delivered.attributes)],
  )
  const { name, version } = delivered.template
  const { rows } = await client.query<{ id: string }>(
    'insert into attribute_template (name, version) values ($1, $2) on conflict do nothing returning id',
    [name, version],
  )
  const id = rows[0]?.id
  if (id === undefined) return
  await client.query(
    `insert into attribute_template_item (attribute_template_id, platform_attribute_id, sort)
     select $1, attribute.id, one.place from unnest($2::text[]) with ordinality as one (identifier, place)
     join platform_attribute attribute using (identifier)`,
    [id, delivered.attributes.map((attribute) => attribute.identifier)],
  )
}

async function addTypes(client: Client): Promise<void> {
  await client.query(
    `insert into device_type (code, name, category_id, small_category_id, port_count, metering, rated_w, protocol_id,
       instruction_set_id, attribute_template_id)
     select one.code, one.name, small.parent_id, small.id, one.ports, one.metering, one."ratedW", protocol.id, made.id, template.id
     from jsonb_to_recordset($1) as one (code text, name text, ports smallint, metering smallint, "ratedW" int, protocol text,
       "set" text, template boolean)
     join device_category small on small.code = left(one.code, 5)
     join dtu_protocol protocol on protocol.code = one.protocol
     left join instruction_set made on made.code = one."set"
     left join attribute_template template on one.template and template.name = $2
     on conflict do nothing`,
    [JSON.stringify(delivered.deviceTypes), delivered.template.name],
  )
}

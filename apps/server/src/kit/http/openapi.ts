import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { type AnyRoute, envelope } from '@wattdeck/contract/kit/route.ts'
import { z } from 'zod'

type Schema = Record<string, unknown>
const bodyTypes = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
  multipart: 'multipart/form-data',
  raw: '*/*',
} as const

/** An OpenAPI 3.1 document of routes, generated from the contract of the server and the console. */
export function openApiDocument(isShown: (route: AnyRoute) => boolean): Schema {
  const paths: Record<string, Schema> = {}
  for (const { feature, name, route } of allRoutes) {
    if (!isShown(route)) continue
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(feature, name, route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wattdeck',
      version: '0.1.0',
      description:
        'Every reply is {success, message, data}. A refused one has no data; of a 422, fields says which fields are meant. Lists in forms are joined by commas.',
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        signature: { type: 'apiKey', in: 'header', name: 'X-Signature', description: 'See docs/open-api.md.' },
      },
    },
    paths,
  }
}

function operation(feature: string, name: string, route: AnyRoute): Schema {
  const { access, audit } = route
  return {
    operationId: `${feature}.${name}`,
    tags: [feature],
    ...(audit === 'none' ? {} : { summary: `${audit.module}：${audit.does}` }),
    'x-access': access,
    'x-timeout-ms': route.timeoutMs,
    security: access === 'public' ? [] : access === 'signed' ? [{ signature: [] }] : [{ bearer: [] }],
    parameters: [
      ...parameters(route.params, 'path'),
      ...parameters(route.query, 'query'),
      ...(route.idempotent ? [idempotencyHeader] : []),
    ],
    ...(route.method === 'POST' ? { requestBody: requestBody(route) } : {}),
    responses: { 200: { description: 'OK', content: replyContent(route) } },
  }
}

const idempotencyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  schema: { type: 'string', minLength: 16, maxLength: 64 },
}

const binary = { type: 'string', format: 'binary' }

function replyContent(route: AnyRoute): Schema {
  if (route.reply === 'file') return { 'application/octet-stream': { schema: binary } }
  if (route.reply === 'plain') return { '*/*': { schema: { type: 'string' } } }
  if (route.encoding === 'sse') return { 'text/event-stream': { schema: jsonSchema(route.data, 'output') } }
  return { 'application/json': { schema: jsonSchema(envelope(route.data), 'output') } }
}

function requestBody(route: AnyRoute): Schema {
  const type = bodyTypes[route.encoding as keyof typeof bodyTypes]
  if (route.encoding === 'raw') return { content: { [type]: { schema: binary } } }
  const fields = jsonSchema(route.body, 'input') as { properties?: object; required?: string[] }
  if (route.encoding !== 'multipart') return { content: { [type]: { schema: fields } } }
  const properties = { ...fields.properties, file: { ...binary, maxLength: route.maxBytes } }
  const schema = { ...fields, properties, required: [...(fields.required ?? []), 'file'] }
  return { content: { [type]: { schema } } }
}

function parameters(schema: z.ZodType, place: 'path' | 'query'): Schema[] {
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any', reused: 'inline' }) as Schema
}

import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { type AnyRoute, envelope } from '@wattdeck/contract/kit/route.ts'
import { z } from 'zod'

type Schema = Record<string, unknown>
const bodyTypes = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
  multipart: 'multipart/form-data',
} as const

/** The OpenAPI 3.1 document of all routes, made from the contract the server and the console run on. */
export function openApiDocument(): Schema {
  const paths: Record<string, Schema> = {}
  for (const { feature, name, route } of allRoutes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(feature, name, route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wattdeck',
      version: '0.1.0',
      description: 'Every reply is {success, message, data}. Lists in forms are joined by commas.',
    },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}

function operation(feature: string, name: string, route: AnyRoute): Schema {
  const { access, audit } = route
  const reply = { schema: jsonSchema(route.encoding === 'sse' ? route.data : envelope(route.data), 'output') }
  return {
    operationId: `${feature}.${name}`,
    tags: [feature],
    ...(audit === 'none' ? {} : { summary: `${audit.module}：${audit.does}` }),
    'x-access': access,
    'x-timeout-ms': route.timeoutMs,
    security: access === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...parameters(route.params, 'path'),
      ...parameters(route.query, 'query'),
      ...(route.idempotent ? [idempotencyHeader] : []),
    ],
    ...(route.method === 'POST' ? { requestBody: requestBody(route) } : {}),
    responses: {
      200: {
        description: 'OK',
        content: { [route.encoding === 'sse' ? 'text/event-stream' : 'application/json']: reply },
      },
    },
  }
}

const idempotencyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  schema: { type: 'string', minLength: 16, maxLength: 64 },
}

function requestBody(route: AnyRoute): Schema {
  const file = { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] }
  const type = bodyTypes[route.encoding as keyof typeof bodyTypes]
  return { content: { [type]: { schema: route.encoding === 'multipart' ? file : jsonSchema(route.body, 'input') } } }
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

import { openApiDocument } from '../../apps/server/src/kit/http/openapi.ts'

/** Prints the OpenAPI document of every route, with its access: `npm run -s openapi > openapi.json`. */
process.stdout.write(
  `${JSON.stringify(
    openApiDocument(() => true),
    null,
    2,
  )}\n`,
)

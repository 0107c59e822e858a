import { z } from 'zod'

/** Responses of an authenticator, serialised as JSON by the browser. */
const base64url = z
  .string()
  .max(8000)
  .regex(/^[\w-]+$/)
const common = { id: base64url, rawId: base64url, type: z.literal('public-key') }

const RegistrationAnswer = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(8)
      .optional(),
  }),
})

const AuthenticationAnswer = z.object({
  ...common,
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
})

/** Returns undefined for a malformed text. */
function readAnswer<T extends z.ZodType>(schema: T, text: string): z.output<T> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

export const readRegistration = (text: string) => readAnswer(RegistrationAnswer, text)
export const readAuthentication = (text: string) => readAnswer(AuthenticationAnswer, text)

import type { BasicInfo } from '@wattdeck/contract/personal/basic-info.ts'

/** What a person may change of their own record, as the form holds it: an empty field is an empty text. */
export type Profile = { name: string; email: string; address: string }

export const profileOf = ({ name, email, address }: BasicInfo): Profile => ({
  name,
  email: email ?? '',
  address: address ?? '',
})

/** Whether there is something to save; spaces around a text are not. */
export const isChanged = (saved: Profile, now: Partial<Profile> | undefined) =>
  now !== undefined &&
  (['name', 'email', 'address'] as const).some((field) => saved[field] !== (now[field] ?? saved[field]).trim())

import type { BasicInfo } from '@wattdeck/contract/personal/basic-info.ts'

/** The editable fields of the own record in the form: an empty field is an empty text. */
export type Profile = { name: string; email: string; address: string }

export const profileOf = ({ name, email, address }: BasicInfo): Profile => ({
  name,
  email: email ?? '',
  address: address ?? '',
})

/** Whether there are changes to save; surrounding spaces do not count. */
export const isChanged = (saved: Profile, now: Partial<Profile> | undefined) =>
  now !== undefined &&
  (['name', 'email', 'address'] as const).some((field) => saved[field] !== (now[field] ?? saved[field]).trim())

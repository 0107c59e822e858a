import type { ObjectKind } from '@wattdeck/contract/kit/object-kinds.ts'
import type { FactSource } from './facts/fact-source.ts'

type Sources = Readonly<Record<string, FactSource>>

const product = async (): Promise<Sources> => (await import('./facts/product-facts.tsx')).productFacts
const order = async (): Promise<Sources> => (await import('./facts/order-facts.tsx')).orderFacts
const people = async (): Promise<Sources> => (await import('./facts/people-facts.tsx')).peopleFacts

/** The fact sources by kind; a file is loaded when the first card of its kinds opens. */
const files: Readonly<Record<ObjectKind, () => Promise<Sources>>> = {
  device: product,
  port: product,
  tariff: product,
  ticket: product,
  alarm: product,
  order,
  payment: order,
  recharge: order,
  refund: order,
  member: people,
  site: people,
  staff: people,
  organise: people,
}

export async function factSourceOf(kind: ObjectKind): Promise<FactSource> {
  const source = (await files[kind]())[kind]
  if (source === undefined) throw new Error(`no fact source for ${kind}`)
  return source
}
export const factsOf = async (kind: ObjectKind) => (await factSourceOf(kind)).load

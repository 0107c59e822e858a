import type { Tone } from '@wattdeck/contract/kit/codes.ts'

type Shown = { label: string; tone?: Tone }
type CodeTable<C> = { show: (value: C) => Shown }

/** A code of the contract in its tone, always with its text, so that the colour is never the only indicator. */
export function StatusTag<C>({ of, value }: { of: CodeTable<C>; value: C }) {
  const { label, tone = 'off' } = of.show(value)
  return <Tag tone={tone}>{label}</Tag>
}

export function Tag({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className="status-tag" data-tone={tone}>
      {children}
    </span>
  )
}

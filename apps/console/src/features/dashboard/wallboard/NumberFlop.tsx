import { cells } from './number-text.ts'

type Props = { label: string; value: string | undefined; unit: string }

/** A number with rolling digits. Screen readers read it as one number. */
export function NumberFlop({ label, value, unit }: Props) {
  return (
    <dl className="wallboard-flop">
      <dt>{label}</dt>
      <dd>
        <span className="visually-hidden">{value === undefined ? '–' : `${value} ${unit}`}</span>
        <span className="wallboard-flop-digits" aria-hidden>
          {cells(value ?? '–').map(({ key, letter }) =>
            /\d/.test(letter) ? <Digit key={key} digit={Number(letter)} /> : <i key={key}>{letter}</i>,
          )}
        </span>
        <small aria-hidden>{unit}</small>
      </dd>
    </dl>
  )
}

const all = '0 1 2 3 4 5 6 7 8 9'.split(' ')
const Digit = ({ digit }: { digit: number }) => (
  <b>
    <span style={{ transform: `translateY(${-digit * 10}%)` }}>
      {all.map((one) => (
        <em key={one}>{one}</em>
      ))}
    </span>
  </b>
)

import './order.css'

/** Why a price is what it is, step by step. */
export const Explanation = ({ lines }: { lines: readonly string[] }) => (
  <ol className="order-explanation">
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ol>
)

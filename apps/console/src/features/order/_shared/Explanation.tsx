import './order.css'

/** The calculation of a price, step by step. */
export const Explanation = ({ lines }: { lines: readonly string[] }) => (
  <ol className="order-explanation">
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ol>
)

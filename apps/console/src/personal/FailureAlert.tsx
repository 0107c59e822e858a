import { Alert } from 'antd'

/** Why a form was refused, above its fields. */
export function FailureAlert({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <Alert
      type="error"
      showIcon
      title={texts.map((line) => (
        <div key={line}>{line}</div>
      ))}
    />
  )
}

import { CloseCircleFilled } from '@ant-design/icons'

/** The error messages of the server, one per line; screen readers announce them. */
export function FailureAlert({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <div className="failure-alert" role="alert">
      <CloseCircleFilled />
      <div>
        {texts.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </div>
    </div>
  )
}

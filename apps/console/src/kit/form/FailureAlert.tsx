import { CloseCircleFilled } from '@ant-design/icons'

/** What the server said against it, one line each; read out when it appears. */
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

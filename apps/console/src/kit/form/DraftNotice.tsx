import { Button } from 'antd'

/** Shown above a form that opens with a restored draft. */
export function DraftNotice({ incomplete, onDiscard }: { incomplete: boolean; onDiscard: () => void }) {
  return (
    <div className="draft-notice">
      <output>
        <strong>已恢复上次未提交的内容</strong>
        {incomplete && <span className="meta">姓名、手机号等个人信息不会保存在浏览器中，请重新填写</span>}
      </output>
      <Button onClick={onDiscard}>丢弃</Button>
    </div>
  )
}

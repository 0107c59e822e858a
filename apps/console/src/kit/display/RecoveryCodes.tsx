import { Alert, Button } from 'antd'
import './recovery-codes.css'
import { saveText } from '../api/save-file.ts'

type Props = { codes: readonly string[]; loginName?: string | undefined; okText: string; onDone: () => void }

/** The server stores only hashes, so the codes are shown only here. */
export function RecoveryCodes({ codes, loginName, okText, onDone }: Props) {
  const save = () => saveText('恢复码.txt', [`物联网控制平台 ${loginName ?? ''} 恢复码`, ...codes, ''].join('\n'))
  return (
    <div className="recovery-codes">
      <Alert
        type="warning"
        showIcon
        title="恢复码仅显示这一次，请保存在安全的地方。丢失动态口令或通行密钥时，每个恢复码可代替其登录一次。"
      />
      <ol aria-label="恢复码">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="recovery-codes-actions">
        <Button onClick={save}>下载恢复码</Button>
        <Button type="primary" onClick={onDone}>
          {okText}
        </Button>
      </div>
    </div>
  )
}

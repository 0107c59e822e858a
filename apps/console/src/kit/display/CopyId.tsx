import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { App } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'

/** navigator.clipboard is missing on plain http; a selected text box works there as well. */
async function copyText(text: string) {
  if (globalThis.isSecureContext) return navigator.clipboard.writeText(text)
  const box = document.createElement('textarea')
  box.value = text
  document.body.append(box)
  box.select()
  document.execCommand('copy')
  box.remove()
}

/** An id with a copy button of a size one can hit. */
export function CopyId({ value, to, what = '编号' }: { value: string; to?: string; what?: string }) {
  const { message } = App.useApp()
  const [copied, setCopied] = useState(false)

  async function copy() {
    await copyText(value)
    setCopied(true)
    void message.success(`${what}已复制`)
    setTimeout(() => setCopied(false), 2000)
  }

  return (
    <span className="copy-id">
      {to ? <Link to={to}>{value}</Link> : <span>{value}</span>}
      <button type="button" className="icon-button" aria-label={`复制${what} ${value}`} onClick={() => void copy()}>
        {copied ? <CheckOutlined /> : <CopyOutlined />}
      </button>
    </span>
  )
}

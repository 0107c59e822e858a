import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { App } from 'antd'
import { useState } from 'react'
import type { NamedObject } from '../objects/object-types.ts'
import { ObjectLink } from '../objects/ObjectLink.tsx'

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

type Props = { value: string; what?: string; object?: NamedObject | undefined }

/** An id with a copy button; the id of an object is a link to it. */
export function CopyId({ value, what = '编号', object }: Props) {
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
      {object ? <ObjectLink {...object}>{value}</ObjectLink> : <span>{value}</span>}
      <button type="button" className="icon-button" aria-label={`复制${what} ${value}`} onClick={() => void copy()}>
        {copied ? <CheckOutlined /> : <CopyOutlined />}
      </button>
    </span>
  )
}

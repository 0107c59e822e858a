import {
  consumptionStandard,
  type StandardDetail,
  type TariffVersion,
  versionFlow,
  versionState,
} from '@wattdeck/contract/product/consumption-standard.ts'
import { Button, Pagination } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import { useList } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { StatusTag } from '../../../kit/display/StatusTag.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import '../tariff/tariff.css'

const pageSize = 10
const refresh = [consumptionStandard.list, consumptionStandard.read, consumptionStandard.versions]

/** All versions, with their publisher and changes. */
export function TariffVersions({ of }: { of: StandardDetail }) {
  const [pageNum, setPageNum] = useState(1)
  const versions = useList(consumptionStandard.versions, { params: { id: of.id }, query: { pageNum, pageSize } })
  return (
    <States query={versions} rows={6}>
      {({ rows, total }) => (
        <>
          <ul className="version-list">
            {rows.map((version) => (
              <Version key={version.id} of={of} version={version} />
            ))}
          </ul>
          {(total ?? 0) > pageSize && (
            <Pagination current={pageNum} pageSize={pageSize} total={total ?? 0} onChange={setPageNum} />
          )}
        </>
      )}
    </States>
  )
}

function Version({ of, version }: { of: StandardDetail; version: TariffVersion }) {
  const [open, setOpen] = useState(false)
  const withdraw = useConfirmedSubmit(consumptionStandard.withdraw, { refresh })
  const discard = useConfirmedSubmit(consumptionStandard.discard, { refresh })
  const body = { id: of.id, versionId: version.id }
  const { state, changes } = version
  return (
    <li className="version">
      <div className="version-head">
        <strong>第 {version.no} 版</strong>
        <StatusTag of={versionState} value={state} />
        <span className="meta">{wordsOf(version)}</span>
        <span className="version-buttons">
          <Button size="small" type="text" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? '收起公示' : '查看公示'}
          </Button>
          {of.own && versionFlow.can('withdraw', state) && (
            <Can route={consumptionStandard.withdraw}>
              <Button
                size="small"
                onClick={() => withdraw({ title: `确定要撤销第 ${version.no} 版吗？`, okText: '撤销' }, { body })}
              >
                撤销
              </Button>
            </Can>
          )}
          {of.own && state === versionState.code.draft && of.inForce !== null && (
            <Can route={consumptionStandard.discard}>
              <Button
                size="small"
                onClick={() =>
                  discard({ title: `确定要放弃第 ${version.no} 版草稿吗？`, danger: true, okText: '放弃' }, { body })
                }
              >
                放弃草稿
              </Button>
            </Can>
          )}
        </span>
      </div>
      {changes !== null && (
        <ul className="version-changes">
          {changes.map(({ kind, line }) => (
            <li key={kind + line} data-kind={kind}>
              {kind === 'added' ? '改为：' : '原为：'}
              {line}
            </li>
          ))}
        </ul>
      )}
      {open && <pre className="tariff-text">{version.displayText}</pre>}
    </li>
  )
}

function wordsOf({ effectiveAt, publishedBy, createdBy, createdAt }: TariffVersion): string {
  if (publishedBy === null || effectiveAt === null) return `${createdBy ?? ''} 保存于 ${createdAt}`
  return `${publishedBy} 发布，${effectiveAt} 生效`
}

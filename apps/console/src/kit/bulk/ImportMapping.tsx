import { batch, type ImportSheet } from '@wattdeck/contract/system/batch.ts'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { FailureAlert } from '../form/FailureAlert.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { type Mapping, mappingText, missingColumns } from './import-model.ts'
import './bulk.css'

type Props = { sheet: ImportSheet; onBack: () => void; onDone: () => void }

/** Maps columns of the sheet to ours; columns with equal titles are mapped already. */
export function ImportMapping({ sheet, onBack, onDone }: Props) {
  const [mapping, setMapping] = useState<Mapping>(sheet.mapping)
  const submit = useSubmit(batch.mapColumns, { feedback: 'quiet', onDone, refresh: [batch.detail, batch.items] })
  const missing = missingColumns(sheet.columns, mapping)
  const options = sheet.head.map((title, place) => ({ value: place, label: title || `第${place + 1}列` }))

  function choose(key: string, place: number | undefined) {
    const { [key]: _, ...rest } = mapping
    setMapping(place === undefined ? rest : { ...rest, [key]: place })
  }
  return (
    <div>
      <FailureAlert texts={submit.texts} />
      <p>
        共 {sheet.rows} 行。请核对每一列对应表格中的哪一列。
        {missing.length > 0 && <span role="alert"> 还缺少：{missing.join('、')}</span>}
      </p>
      <div className="import-columns">
        {sheet.columns.map(({ key, title, required, note }) => (
          <label key={key} className="import-column">
            <span>
              {title}
              {required && <span className="import-star"> *</span>}
              {note !== '' && <span className="meta"> {note}</span>}
            </span>
            <Select
              allowClear
              placeholder="不导入"
              aria-label={title}
              options={options}
              value={mapping[key]}
              onChange={(place?: number) => choose(key, place)}
            />
            <span className="meta one-line">{exampleOf(sheet, mapping[key])}</span>
          </label>
        ))}
      </div>
      <div className="import-footer">
        <Button onClick={onBack}>上一步</Button>
        <Button
          type="primary"
          loading={submit.pending}
          disabled={missing.length > 0}
          onClick={() => void submit.run({ body: { id: sheet.jobId, mapping: mappingText(mapping) } as never })}
        >
          检查数据
        </Button>
      </div>
    </div>
  )
}

const exampleOf = (sheet: ImportSheet, place: number | undefined) =>
  place === undefined
    ? ''
    : `如：${sheet.sample.map((row) => row[place] ?? '').find((text) => text !== '') ?? '（空）'}`

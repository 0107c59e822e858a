import type { ReactNode } from 'react'
import { dash } from './cells.tsx'

export type FieldChange = { name: string; before: string | null; after: string | null }

/** The values before and after a change, field by field. */
export function DiffTable({ caption, fields }: { caption: ReactNode; fields: readonly FieldChange[] }) {
  return (
    <table className="diff-table">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">字段</th>
          <th scope="col">变更前</th>
          <th scope="col">变更后</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.name} data-changed={field.before !== field.after}>
            <th scope="row">{field.name}</th>
            <td className="diff-before">{field.before ?? dash}</td>
            <td className="diff-after">{field.after ?? dash}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

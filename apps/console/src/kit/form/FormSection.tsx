import type { ReactNode } from 'react'
import './form-section.css'

/** The heading of a group of fields in a long form. */
export const FormSection = ({ title, note }: { title: string; note?: ReactNode }) => (
  <div className="form-section wide-field">
    <h3>{title}</h3>
    {note && <span className="meta">{note}</span>}
  </div>
)

import { Field } from '../form/Field.tsx'
import { PictureField } from './PictureField.tsx'

type ListProps = { max: number; value?: string[]; onChange?: (ids: string[]) => void }

const none: string[] = []

/** A list of pictures, with room for one more up to the maximum. */
function PictureList({ max, value = none, onChange }: ListProps) {
  const setPicture = (place: number, id: string | undefined) =>
    onChange?.(id === undefined ? value.filter((_, at) => at !== place) : value.with(place, id))
  return (
    <div className="picture-list">
      {value.map((id, place) => (
        <PictureField key={id} value={id} onChange={(next) => setPicture(place, next)} />
      ))}
      {value.length < max && (
        <PictureField key={`new-${value.length}`} onChange={(id) => id !== undefined && onChange?.([...value, id])} />
      )}
    </div>
  )
}

export const PicturesField = ({ name, label, max }: { name: string; label: string; max: number }) => (
  <Field name={name} label={label} wide help={`最多 ${max} 张，过大的照片会自动缩小`}>
    <PictureList max={max} />
  </Field>
)

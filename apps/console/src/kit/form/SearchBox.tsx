import { SearchOutlined } from '@ant-design/icons'

type Props = { label: string; value: string; onChange: (text: string) => void }

/** A plain search input. antd's own loads its form code, which a reading page does not need otherwise. */
export function SearchBox({ label, value, onChange }: Props) {
  return (
    <span className="search-box" data-shortcut="/">
      <SearchOutlined aria-hidden />
      <input
        type="search"
        value={value}
        placeholder={label}
        aria-label={label}
        maxLength={64}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  )
}

import { QRCode } from 'antd'

/** Black on white in both themes, because cameras do not read inverted codes. */
export function QrPicture({ value, label, size = 176 }: { value: string; label: string; size?: number }) {
  return (
    <div className="qr-picture">
      <span className="visually-hidden">{label}</span>
      <QRCode
        aria-hidden
        value={value}
        size={size}
        errorLevel="L"
        type="svg"
        color="#000000"
        bgColor="#FFFFFF"
        marginSize={2}
      />
    </div>
  )
}

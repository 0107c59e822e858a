import { EnvironmentOutlined } from '@ant-design/icons'
import { inChina, type Point } from '@wattdeck/domain/geo.ts'
import { Button, Form, Modal } from 'antd'
import { type ReactNode, useState } from 'react'
import { Field } from '../form/Field.tsx'
import { lazyPart } from '../routing/lazy-part.tsx'
import type { MapPoint } from '../map/MapMarks.tsx'
import { dialogWidth } from '../form/dialog-width.ts'

const MapPicker = lazyPart(() => import('../map/MapPicker.tsx').then((part) => part.MapPicker))

type Props = {
  label?: string
  required?: boolean
  help?: ReactNode
  wide?: boolean
  /** The fields of the body for longitude and latitude. */
  names?: readonly [lng: string, lat: string]
  /** The code of the region where the map starts; by default the region selected in the same form. */
  near?: string | undefined
  points?: readonly MapPoint[]
}

const usualNames = ['lng', 'lat'] as const

/** Longitude and latitude of a form, as one field that writes two values. */
export function LocationField({ label = '经纬度', names = usualNames, near, points, ...field }: Props) {
  const [lng, lat] = names
  return (
    <>
      <Field name={lng} label={label} choose {...field}>
        <LocationControl
          label={label}
          latName={lat}
          required={field.required ?? false}
          near={near}
          {...(points ? { points } : {})}
        />
      </Field>
      <Form.Item name={lat} noStyle>
        <Unseen />
      </Form.Item>
    </>
  )
}

/** Registers a form value that another control renders. */
const Unseen = () => null

type ControlProps = {
  label: string
  latName: string
  required: boolean
  near: string | undefined
  points?: readonly MapPoint[]
  id?: string
  value?: number
  onChange?: (lng: number | undefined) => void
}

function LocationControl({ label, latName, required, near, points, id, value, onChange }: ControlProps) {
  const form = Form.useFormInstance()
  const lat = Form.useWatch<number | undefined>(latName, form)
  const [province, city, district] = ['provinceCode', 'cityCode', 'districtCode'].map(
    (name) => form.getFieldValue(name) as string | undefined,
  )
  const [draft, setDraft] = useState<{ point: Point | undefined }>()
  const point = pointOf(value, lat)

  function keep(next: Point | undefined) {
    form.setFields([{ name: latName, value: next?.lat, touched: true }])
    onChange?.(next?.lng)
    setDraft(undefined)
  }
  return (
    <div className="location-field">
      <span className={point ? undefined : 'meta'}>{point ? `${point.lng}, ${point.lat}` : '未选择'}</span>
      <Button
        {...(id ? { id } : {})}
        aria-label={`${label} 地图选点`}
        icon={<EnvironmentOutlined />}
        onClick={() => setDraft({ point })}
      >
        地图选点
      </Button>
      {point && !required && (
        <Button type="link" onClick={() => keep(undefined)}>
          清除
        </Button>
      )}
      {draft && (
        <Modal
          open
          title={`${label}：地图选点`}
          width={dialogWidth.l}
          okText="确定"
          cancelText="取消"
          okButtonProps={{ disabled: !draft.point }}
          onOk={() => keep(draft.point)}
          onCancel={() => setDraft(undefined)}
          mask={{ closable: false }}
        >
          <MapPicker
            value={draft.point}
            onChange={(next) => setDraft({ point: next })}
            near={near ?? district ?? city ?? province}
            {...(points ? { points } : {})}
          />
        </Modal>
      )}
    </div>
  )
}

/** Values of a form may be numbers or the text of a reply. */
function pointOf(lng: unknown, lat: unknown): Point | undefined {
  if (lng === undefined || lng === null || lat === undefined || lat === null) return undefined
  const point = { lng: Number(lng), lat: Number(lat) }
  return inChina(point) ? point : undefined
}

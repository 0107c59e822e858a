import { X509Certificate } from 'node:crypto'
import { Gauge } from 'prom-client'

type End = { name: string; endsMs: number }
let ends: End[] = []
const leftOf = ({ endsMs }: End) => (endsMs - Date.now()) / 86_400_000

const daysLeft = new Gauge({
  name: 'gateway_certificate_days_left',
  help: 'Days until a certificate of this gateway expires',
  labelNames: ['name'],
  collect: () => {
    for (const end of ends) daysLeft.set({ name: end.name }, leftOf(end))
  },
})

/** Readiness check: devices and the broker reject a gateway whose certificate has expired. */
export function watchCertificates(files: Record<string, Buffer | undefined>) {
  const own = Object.entries(files).flatMap(([name, file]) =>
    file === undefined ? [] : [{ name, endsMs: new X509Certificate(file).validToDate.getTime() }],
  )
  ends = own
  return { areGood: () => own.every((end) => leftOf(end) > 0) }
}

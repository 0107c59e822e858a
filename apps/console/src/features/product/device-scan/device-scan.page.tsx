import { ScanOutlined } from '@ant-design/icons'
import { deviceScan, type Scanned } from '@wattdeck/contract/product/device-scan.ts'
import { Button, Steps } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { call } from '../../../kit/api/api.ts'
import { errorText } from '../../../kit/api/error-handling.ts'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'
import { ScanCode } from '../../../kit/media/ScanCode.tsx'
import { BindForm } from './device-scan.bind.tsx'
import { FoundPane } from './device-scan.found.tsx'
import './device-scan.css'

/** code: scan first. found: the result. device: choose the device to bind. confirm: both are known. */
type Step =
  | { at: 'code' }
  | { at: 'found'; found: Scanned }
  | { at: 'device'; found: Scanned; text: string }
  | { at: 'confirm'; found: Scanned; target: NonNullable<Scanned['device']> }
const places = { code: 0, device: 1, confirm: 2, found: 3 }

/** Resolves a scanned text. */
function useResolve() {
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function resolve(text: string, typed: boolean): Promise<Scanned | undefined> {
    setPending(true)
    setProblem(undefined)
    try {
      return (await call(deviceScan.resolve, { query: { text: text.slice(0, 300), typed } })).data
    } catch (error) {
      setProblem(errorText(error))
      return undefined
    } finally {
      setPending(false)
    }
  }
  return { resolve, pending, problem, setProblem }
}

/** For installers: identifies a code, binds it to a device, and registers its site. */
export default function DeviceScanPage() {
  const [step, setStep] = useState<Step>({ at: 'code' })
  const { resolve, pending, problem, setProblem } = useResolve()

  async function scanFirst(text: string, typed: boolean) {
    const found = await resolve(text, typed)
    if (found === undefined) return
    // A code without a device can be bound.
    if (found.code !== null && found.device === null) setStep({ at: 'device', found, text })
    else setStep({ at: 'found', found })
  }
  // Opened from the to-do list: the device is known, its code is not.
  const [named] = useSearch()
  const deviceNo = named.get('device')
  const opened = useRef<string>(undefined)
  useEffect(() => {
    if (deviceNo === null || opened.current === deviceNo) return
    opened.current = deviceNo
    void scanFirst(deviceNo, true)
  })
  async function scanDevice(found: Scanned, text: string, typed: boolean) {
    const scanned = await resolve(text, typed)
    if (scanned?.device) setStep({ at: 'confirm', found, target: scanned.device })
    else if (scanned) setProblem('该二维码没有绑定设备，请扫描设备铭牌，或输入设备编号')
  }
  function restart() {
    setProblem(undefined)
    setStep({ at: 'code' })
  }
  async function readAgain(found: Scanned) {
    const text = found.code?.codeNo ?? found.device?.deviceNo ?? ''
    const now = await resolve(text, true)
    setStep({ at: 'found', found: now ?? found })
  }
  return (
    <PageFrame
      title="扫码安装"
      actions={
        step.at !== 'code' && (
          <Button icon={<ScanOutlined />} onClick={restart}>
            扫下一个
          </Button>
        )
      }
    >
      <section className="panel scan-panel">
        {(step.at === 'device' || step.at === 'confirm') && (
          <Steps
            size="small"
            className="scan-steps"
            current={places[step.at]}
            items={['扫二维码', '扫设备', '确认绑定'].map((title) => ({ title }))}
          />
        )}
        <FailureAlert texts={problem === undefined ? [] : [problem]} />
        {step.at === 'code' && (
          <ScanCode
            hint="将二维码放入框内"
            numberLabel="二维码编码或设备编号"
            pending={pending}
            onScan={(text, typed) => void scanFirst(text, typed)}
          />
        )}
        {step.at === 'found' && (
          <FoundPane
            found={step.found}
            onBind={() => setStep({ at: 'device', found: step.found, text: '' })}
            onPlaced={() => void readAgain(step.found)}
          />
        )}
        {step.at === 'device' && (
          <>
            <p className="scan-lead">
              二维码 <strong>{step.found.code?.codeNo}</strong> 将绑定到下面扫描的设备
            </p>
            <ScanCode
              except={step.text}
              hint="扫描设备铭牌上的二维码"
              numberLabel="设备编号、IMEI 或 ICCID"
              pending={pending}
              onScan={(text, typed) => void scanDevice(step.found, text, typed)}
            />
          </>
        )}
        {step.at === 'confirm' && step.found.code && (
          <BindForm code={step.found.code} target={step.target} onDone={() => void readAgain(step.found)} />
        )}
      </section>
    </PageFrame>
  )
}

import { type QrCode, qrCodeList } from '@wattdeck/contract/system/qr-code-manage.ts'
import { encodeQR } from 'qr'
import { exportOf } from '../../../kit/bulk/list-export.ts'
import { codeSource } from './qr-code-manage.store.ts'

/** Quiet zone around a code, in modules; cameras need it to find the code. */
const quiet = 4
const textHeight = 5

/** A code as SVG, with its number below. A code number contains no character that needs escaping. */
function codeSvg({ content, codeNo }: Pick<QrCode, 'content' | 'codeNo'>): string {
  const modules = encodeQR(content, 'raw', { ecc: 'medium', border: quiet })
  const size = modules.length
  const path = modules.flatMap((line, y) => line.flatMap((black, x) => (black ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size + textHeight}"><rect width="100%" height="100%" fill="#fff"/><path d="${path}"/><text x="${size / 2}" y="${size + 2}" font-family="monospace" font-size="${textHeight - 1.5}" text-anchor="middle">${codeNo}</text></svg>\n`
}

export const packCodes = exportOf('qrCode', qrCodeList, codeSource, {
  title: '设备二维码',
  pack: (row: QrCode) => ({ name: `${row.batchNo}/${row.codeNo}.svg`, content: codeSvg(row) }),
})

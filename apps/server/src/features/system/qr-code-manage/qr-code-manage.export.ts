import {
  type QrCode,
  qrCodeColumns,
  qrCodeKind,
  qrCodeManage,
  qrCodeStatus,
  qrCodeType,
} from '@wattdeck/contract/system/qr-code-manage.ts'
import { encodeQR } from 'qr'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listCodes } from './qr-code-manage.store.ts'

const cellOf: Record<keyof typeof qrCodeColumns, (row: QrCode) => Cell> = {
  codeNo: (row) => row.codeNo,
  type: (row) => qrCodeType.show(row.type).label,
  kind: (row) => qrCodeKind.show(row.kind).label,
  content: (row) => row.content,
  deviceNo: (row) => row.deviceNo,
  portNo: (row) => row.portNo,
  status: (row) => qrCodeStatus.show(row.status).label,
  batchNo: (row) => row.batchNo,
  organiseName: (row) => row.organiseName,
  agentName: (row) => row.agentName,
  siteName: (row) => row.siteName,
  createdAt: (row) => row.createdAt,
  usedAt: (row) => row.usedAt,
  usedBy: (row) => row.usedBy,
}

/** Modules of white around a code, without which cameras do not find it. */
const quiet = 4
const textHeight = 5

/** A code as a picture, with its number below. Its letters are those of a code number, so nothing needs escaping. */
function codeSvg({ content, codeNo }: Pick<QrCode, 'content' | 'codeNo'>): string {
  const modules = encodeQR(content, 'raw', { ecc: 'medium', border: quiet })
  const size = modules.length
  const path = modules.flatMap((line, y) => line.flatMap((black, x) => (black ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size + textHeight}"><rect width="100%" height="100%" fill="#fff"/><path d="${path}"/><text x="${size / 2}" y="${size + 2}" font-family="monospace" font-size="${textHeight - 1.5}" text-anchor="middle">${codeNo}</text></svg>\n`
}

export const packCodes = listExport({
  list: 'qrCode',
  title: '设备二维码',
  module: '设备二维码管理',
  route: qrCodeManage.list,
  read: listCodes,
  columns: Object.fromEntries(
    Object.entries(qrCodeColumns).map(([key, title]) => [
      key,
      { title, of: cellOf[key as keyof typeof qrCodeColumns] },
    ]),
  ),
  pack: (row) => ({ name: `${row.batchNo}/${row.codeNo}.svg`, content: codeSvg(row) }),
})

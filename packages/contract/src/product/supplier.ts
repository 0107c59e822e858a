import { isCreditCode } from '@wattdeck/domain/credit-code.ts'
import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { defineCrud } from '../kit/crud.ts'
import { f } from '../kit/fields.ts'
import { catalogueCode } from './catalogue.ts'

const supplierKind = codes({
  board: { code: 1, label: '主板' },
  modem: { code: 2, label: '模组' },
  housing: { code: 3, label: '外壳' },
  sim: { code: 4, label: 'SIM' },
  device: { code: 5, label: '整机' },
})

const supplierGrade = codes({
  a: { code: 1, label: 'A' },
  b: { code: 2, label: 'B' },
  c: { code: 3, label: 'C' },
  d: { code: 4, label: 'D' },
})

const creditCode = z.string().max(30).trim().toUpperCase().refine(isCreditCode, '请输入正确的税号')

/** Suppliers of parts and devices. */
export const supplierCrud = defineCrud('/seeker/api/supplier', {
  name: 'supplier',
  noun: '供应商',
  platform: 'only',
  exports: true,
  fields: {
    code: f.id('编号', catalogueCode('编号'), { width: 120, unique: true, help: '保存后不能修改' }),
    name: f.text('名称', 60, { width: 200, unique: true }),
    kind: f.code('类型', supplierKind, { width: 80 }),
    grade: f.code('评级', supplierGrade, { width: 70, optional: true }),
    status: f.code('状态', enabledStatus, { width: 70 }),
    contact: f.text('联系人', 30, { width: 100, optional: true }),
    phone: f.phone('电话', { width: 150 }),
    paymentDays: f.whole('账期', 0, 365, { width: 80, unit: '天', initial: 30 }),
    address: f.text('地址', 120, { width: 220, optional: true, hidden: true }),
    creditCode: f.id('税号', creditCode, { width: 200, optional: true, hidden: true }),
    remark: f.lines('备注', 300, { width: 220, optional: true, hidden: true }),
    ...f.audit,
  },
  filter: {
    keyword: { label: '名称/编号', contains: ['name'], begins: ['code'] },
    exact: ['kind', 'grade', 'status'],
  },
  addForm: ['code'],
  form: ['name', 'kind', 'grade', 'contact', 'phone', 'address', 'creditCode', 'paymentDays', 'remark'],
})

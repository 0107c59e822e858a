import { supplierCrud } from '@wattdeck/contract/product/supplier.ts'
import { crudFeature } from '../../../kit/http/crud.ts'

export const supplierFeature = crudFeature(supplierCrud, { table: 'supplier' })

import { config } from 'zod'
import zhCN from 'zod/v4/locales/zh-CN.js'

config(zhCN())

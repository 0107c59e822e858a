import { config } from 'zod'
import zhCN from 'zod/v4/locales/zh-CN.js'

// Must run before any schema is made: the content security policy forbids the code that zod would compile.
config({ jitless: true, ...zhCN() })

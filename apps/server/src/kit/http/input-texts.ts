import { z } from 'zod'
import zhCN from 'zod/v4/locales/zh-CN.js'

const { localeError } = zhCN()

/** Default messages for schemas without their own. Importing this file sets them for the process. */
z.config({
  localeError: (issue) => {
    const name = (issue.path ?? []).join('.')
    if (issue.code === 'unrecognized_keys') return `未知参数：${(issue['keys'] as string[]).join('、')}`
    if (issue.code === 'invalid_type' && issue.input === undefined) return `缺少参数：${name}`
    if (issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_format')
      return name === '' ? '参数格式不正确' : `参数${name}的值不正确`
    return localeError(issue)
  },
})

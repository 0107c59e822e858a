import { codes } from './kit/codes.ts'

/** Code tables shared by several features. */
export const enabledStatus = codes({
  enabled: { code: 1, label: '启用', tone: 'ok' },
  disabled: { code: 0, label: '停用', tone: 'off' },
})

export const userType = codes({
  organise: { code: 1, label: '机构' },
  agent: { code: 2, label: '代理商' },
  site: { code: 3, label: '站点' },
  installer: { code: 4, label: '安装员' },
})

export const agentType = codes({
  agent: { code: 1, label: '代理商' },
  plot: { code: 2, label: '站点' },
})

export const basicServiceStatus = codes({
  normal: { code: 1, label: '正常', tone: 'ok' },
  arrears: { code: 2, label: '欠费', tone: 'bad' },
  warning: { code: 3, label: '预警', tone: 'warn' },
})

/** Action kinds of spec §6, and two of our own: control devices, and approve the commands of others. */
export const actionKinds = {
  add: { code: 'add', label: '新增' },
  edit: { code: 'edit', label: '编辑' },
  delete: { code: 'delete', label: '删除' },
  import: { code: 'import', label: '导入' },
  export: { code: 'export', label: '导出' },
  setStandard: { code: 'setStandard', label: '设置消费标准' },
  upgrade: { code: 'upgrade', label: '设备升级' },
  control: { code: 'control', label: '设备控制' },
  approve: { code: 'approve', label: '审批' },
} as const
export const actionKind = codes(actionKinds)

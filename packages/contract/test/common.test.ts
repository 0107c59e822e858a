import { describe, expect, it } from 'vitest'
import { actionKind, agentType, basicServiceStatus, enabledStatus, userType } from '../src/common.ts'
import { popupType } from '../src/auth/notification.ts'
import { UserInfo } from '../src/auth/session.ts'
import { departmentType } from '../src/system/department.ts'

const table = (codes: { options: { value: unknown; label: string }[] }) =>
  codes.options.map(({ value, label }) => `${String(value)} ${label}`)

describe('code tables of the specification', () => {
  it('[role.user-type] user types', () => {
    expect(table(userType)).toEqual(['1 机构', '2 代理商', '3 站点', '4 安装员'])
  })

  it('[role.agent-type] agent types', () => {
    expect(table(agentType)).toEqual(['1 代理商', '2 站点'])
  })

  it('[role.action-kinds] resource action kinds', () => {
    expect(actionKind.options.map(({ label }) => label)).toEqual([
      '新增',
      '编辑',
      '删除',
      '导入',
      '导出',
      '设置消费标准',
      '设备升级',
      // Our own action kinds, for commands.
      '设备控制',
      '审批',
    ])
  })

  it('basic service status, with its colours', () => {
    expect(table(basicServiceStatus)).toEqual(['1 正常', '2 欠费', '3 预警'])
    expect(([1, 2, 3] as const).map((code) => basicServiceStatus.show(code).tone)).toEqual(['ok', 'bad', 'warn'])
  })

  it('department types', () => {
    expect(table(departmentType)).toEqual(['1 基础服务', '2 SIM服务', '3 平台', '4 开放平台'])
  })

  it('popup types', () => {
    expect(table(popupType)).toEqual([
      '0 系统消息',
      '1 公告',
      '2 活动',
      '3 平台预警',
      '4 APP预警',
      '5 微信维护',
      '6 广告',
    ])
  })

  it('enabled or disabled', () => expect(table(enabledStatus)).toEqual(['1 启用', '0 停用']))
})

describe('user session', () => {
  it('has every field of the specification', () => {
    const named =
      'operatorId userName userPhone dPhone employeeId userType roleTopLevel departmentId departmentFullName ' +
      'parentDepartmentName organiseId organiseName agentId parentAgentId agentFullName email address loginName ' +
      'access_token roleCodeList deviceTypes theme color menuTree authorisedRoutes shoppingCartCount ' +
      'basicServiceStatus hasDesensitizePermission currentCategoryCode allinPayFinancialAuthority'
    expect(Object.keys(UserInfo.shape)).toEqual(expect.arrayContaining(named.split(' ')))
  })
})

import { basicServiceStatus, enabledStatus, userType } from '@wattdeck/contract/common.ts'
import { memberInfo } from '@wattdeck/contract/member/member-info.ts'
import { organise, organiseType } from '@wattdeck/contract/system/organise.ts'
import { site, siteType } from '@wattdeck/contract/system/site.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { masks } from '@wattdeck/domain/masks.ts'
import * as cells from '../../display/cells.tsx'
import { factSource } from './fact-source.ts'

/** A card may open beside a masked name, so it masks the name, too. The server masks phones; unmasking is a separate call with a reason. */
export const peopleFacts = {
  member: factSource(
    memberInfo.info,
    (id) => ({ query: { memberId: id } }),
    (member) => ({
      title: masks.name(member.nickname),
      facts: [
        ['会员ID', member.memberId],
        ['手机号', cells.text(member.phone)],
        ['余额', <>¥{cells.money(member.balance)}</>],
        ['充值余额', <>¥{cells.money(member.rechargeBalance)}</>],
      ],
    }),
  ),
  site: factSource(
    site.list,
    (id) => ({ query: { siteId: id, pageSize: 1 } }),
    ({ rows: [row] }) =>
      row && {
        title: row.name,
        facts: [
          ['编号', row.code],
          ['状态', cells.status(enabledStatus, row.status)],
          ['类型', cells.label(siteType, row.type)],
          ['地址', cells.text(row.address)],
          ['设备数', cells.count(row.deviceCount)],
          ['消费标准', cells.text(row.tariffName)],
        ],
      },
  ),
  staff: factSource(
    staff.list,
    (id) => ({ query: { staffId: id, pageSize: 1 } }),
    ({ rows: [person] }) =>
      person && {
        title: person.name,
        facts: [
          ['工号', person.employeeNo],
          ['状态', cells.status(enabledStatus, person.status)],
          ['用户类型', cells.label(userType, person.userType)],
          ['机构', person.organiseName],
          ['部门', cells.text(person.departmentName)],
          ['手机号', person.phone],
        ],
      },
  ),
  organise: factSource(
    organise.list,
    (id) => ({ query: { organiseId: id, pageSize: 1 } }),
    ({ rows: [row] }) =>
      row && {
        title: row.name,
        facts: [
          ['编号', row.code],
          ['状态', cells.status(enabledStatus, row.status)],
          ['类型', cells.label(organiseType, row.type)],
          ['基础服务', cells.status(basicServiceStatus, row.basicServiceStatus)],
          ['代理商', cells.count(row.agentCount)],
          ['站点', cells.count(row.siteCount)],
        ],
      },
  ),
}

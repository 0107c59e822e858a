import { z } from 'zod'
import { userType } from '../common.ts'
import { personal } from '../kit/personal.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { done, get, post } from '../kit/route.ts'
import { email, row, text, time } from '../kit/wire.ts'

export type BasicInfo = z.infer<typeof BasicInfo>
export const BasicInfo = row({
  name: z.string(),
  loginName: z.string(),
  employeeNo: z.string(),
  phone: personal('phone'),
  email: z.string().nullable(),
  address: z.string().nullable(),
  departmentName: z.string().nullable(),
  organiseName: z.string(),
  roleNames: z.array(z.string()),
  userType: userType.schema,
  theme: z.enum(['light', 'dark', 'system']),
  color: z.string(),
  avatar: z.string().nullable(),
  secondFactorSince: time.nullable(),
  passwordChangedAt: time,
})

const module = '个人中心'

export const basicInfo = {
  read: get('/seeker/api/personal/basicInfo', { access: 'anyone', data: BasicInfo }),
  edit: post('/seeker/api/personal/basicInfo/update', {
    access: 'anyone',
    audit: { module, does: '修改基本信息' },
    body: row({
      name: aboutPerson(text(30, '姓名')),
      email: email.optional(),
      address: aboutPerson(text(120, '地址')).optional(),
    }),
    data: done,
  }),
  saveAppearance: post('/seeker/api/personal/appearance', {
    access: 'anyone',
    audit: { module, does: '修改界面外观' },
    body: row({
      theme: z.enum(['light', 'dark', 'system']),
      color: z.string().regex(/^#[\dA-Fa-f]{6}$/, '请输入正确的颜色'),
    }),
    data: done,
  }),
  /** One JPG or PNG of at most 800 KB in the field 'file'; it is cropped to a square and re-encoded. */
  uploadAvatar: post('/seeker/api/personal/avatar', {
    access: 'anyone',
    audit: { module, does: '上传头像' },
    encoding: 'multipart',
    data: row({ avatar: z.string() }),
  }),
}

import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { Screen } from '../kit/screen.ts'

const centre = 'product'

export const productScreens: Screen[] = [
  {
    name: 'deviceManage',
    path: '/product/deviceManage',
    title: '设备管理',
    centre,
    menuKey: menuKey.deviceManage,
    lazy: () => import('./device-manage.page.tsx'),
  },
  {
    name: 'deviceDetail',
    path: '/product/deviceDetail',
    title: '设备详情',
    centre,
    under: '/product/deviceManage',
    menuKey: menuKey.deviceManage,
    lazy: () => import('./device-detail.page.tsx'),
  },
  {
    name: 'attributeSetting',
    path: '/product/attributeSetting',
    title: '属性设置',
    centre,
    menuKey: menuKey.attributeSetting,
    lazy: () => import('./attribute-setting.page.tsx'),
  },
  {
    name: 'dtuProtocol',
    path: '/product/dtuProtocol',
    title: 'DTU协议',
    centre,
    menuKey: menuKey.dtuProtocol,
    lazy: () => import('./dtu-protocol.page.tsx'),
  },
  {
    name: 'deviceCategory',
    path: '/product/deviceCategory',
    title: '设备大类',
    centre,
    menuKey: menuKey.deviceCategory,
    lazy: () => import('./device-category.page.tsx'),
  },
  {
    name: 'deviceType',
    path: '/product/deviceType',
    title: '设备类型',
    centre,
    menuKey: menuKey.deviceType,
    lazy: () => import('./device-type.page.tsx'),
  },
  {
    name: 'instructionSet',
    path: '/product/instructionSet',
    title: '指令集',
    centre,
    menuKey: menuKey.instructionSet,
    lazy: () => import('./instruction-set.page.tsx'),
  },
  {
    name: 'attributeTemplate',
    path: '/product/attributeTemplate',
    title: '属性模板库',
    centre,
    menuKey: menuKey.attributeTemplate,
    lazy: () => import('./attribute-template.page.tsx'),
  },
  {
    name: 'platformAttribute',
    path: '/product/platformAttribute',
    title: '平台属性',
    centre,
    menuKey: menuKey.platformAttribute,
    lazy: () => import('./platform-attribute.page.tsx'),
  },
]

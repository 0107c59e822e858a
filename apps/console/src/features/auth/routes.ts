import type { Screen } from '../../kit/routing/screen.ts'

const centre = 'auth'

/** Not screens: overlays of a page. */
export const loadStepUp = async () => (await import('./factor/StepUp.tsx')).StepUp
export const loadLoginAgain = async () => (await import('./renew/LoginAgain.tsx')).LoginAgain

export const authScreens: Screen[] = [
  { name: 'login', path: '/login', title: '登录', centre, bare: true, lazy: () => import('./login/login.page.tsx') },
  {
    name: 'resetPassword',
    path: '/resetPassword',
    title: '重置密码',
    centre,
    bare: true,
    lazy: () => import('./reset-password.page.tsx'),
  },
  {
    name: 'fastLogin',
    path: '/fastLogin',
    title: '快捷登录',
    centre,
    bare: true,
    lazy: () => import('./fast-login/fast-login.page.tsx'),
  },
  {
    name: 'alipayAuth',
    path: '/alipayAuth',
    title: '支付宝授权',
    centre,
    bare: true,
    lazy: () => import('./alipay-auth/alipay-auth.page.tsx'),
  },
  {
    name: 'alipaySuccess',
    path: '/alipaySuccess',
    title: '授权成功',
    centre,
    bare: true,
    lazy: () => import('./alipay-auth/alipay-success.page.tsx'),
  },
  {
    name: 'error-401',
    path: '/error-401',
    title: '无权限',
    centre,
    bare: true,
    lazy: () => import('./error-401.page.tsx'),
  },
  {
    name: 'error-404',
    path: '/error-404',
    title: '页面不存在',
    centre,
    bare: true,
    lazy: () => import('./error-404.page.tsx'),
  },
  {
    name: 'error-500',
    path: '/error-500',
    title: '服务器错误',
    centre,
    bare: true,
    lazy: () => import('./error-500.page.tsx'),
  },
  {
    name: 'overdue',
    path: '/overdue',
    title: '欠费提醒',
    centre,
    alwaysVisible: true,
    lazy: () => import('./overdue.page.tsx'),
  },
  {
    name: 'redirect',
    path: '/redirect/*',
    title: '页面跳转',
    centre,
    alwaysVisible: true,
    bare: true,
    lazy: () => import('./redirect.page.tsx'),
  },
]

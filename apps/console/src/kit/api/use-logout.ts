import { App } from 'antd'
import { logout } from './session.ts'

/** Logs out after a confirmation. */
export function useLogout() {
  const { modal, message } = App.useApp()
  return () => {
    void modal.confirm({
      title: '确定要退出登录吗？',
      okText: '退出登录',
      cancelText: '取消',
      onOk: () => {
        void message.success('已安全退出')
        void logout()
      },
    })
  }
}

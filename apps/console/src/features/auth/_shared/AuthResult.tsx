import { Button } from 'antd'
import { useNavigate } from 'react-router'
import { ResultPane } from '../../../kit/display/ResultPane.tsx'
import './auth.css'

export function AuthResult({ code, title }: { code: string; title: string }) {
  const navigate = useNavigate()
  return (
    <main className="auth-result">
      <ResultPane
        code={code}
        title={title}
        actions={
          <>
            <Button type="primary" onClick={() => void navigate('/login')}>
              返回首页
            </Button>
            <Button onClick={() => void navigate(-1)}>返回上一页</Button>
          </>
        }
      />
    </main>
  )
}

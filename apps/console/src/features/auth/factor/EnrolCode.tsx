import { useQuery } from '@tanstack/react-query'
import { login } from '@wattdeck/contract/auth/login.ts'
import { call } from '../../../kit/api/api.ts'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { QrPicture } from '../../../kit/media/QrPicture.tsx'
import { States } from '../../../kit/display/States.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import type { Bound } from './step-props.ts'
import { OneTimeCode } from './OneTimeCode.tsx'

export function EnrolCode({ onBound }: { onBound: (bound: Bound) => void }) {
  // A POST used as a query: the enrolment offer is fetched when the step opens and is not cached afterwards.
  const offer = useQuery({
    queryKey: [login.startEnrolment.path],
    queryFn: async () => (await call(login.startEnrolment)).data,
    staleTime: Infinity,
    gcTime: 0,
  })
  const confirm = useSubmit(login.confirmEnrolment, { feedback: 'inline', onDone: onBound })
  return (
    <States query={offer} rows={5}>
      {({ uri, secret }) => (
        <>
          <div className="enrol">
            <QrPicture value={uri} label="身份验证器绑定二维码" />
            <div className="meta">无法扫码时，请手动输入密钥</div>
            <code>
              <CopyId value={secret} what="密钥" />
            </code>
          </div>
          <OneTimeCode
            okText="绑定并登录"
            texts={confirm.texts}
            pending={confirm.pending}
            onCode={(code) => void confirm.run({ body: { code } })}
          />
        </>
      )}
    </States>
  )
}
